/** `node:path` in the hook bundle; see fs.ts. */

// biome-ignore lint/style/useNodejsImportProtocol: with the prefix it would be replaced by this file again.
const path: typeof import('node:path') = require('path');

// biome-ignore lint/style/noDefaultExport: it stands for a module that has one.
export default path;
