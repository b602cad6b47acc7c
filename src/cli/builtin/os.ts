/** `node:os` in the hook bundle; see fs.ts. */

// biome-ignore lint/style/useNodejsImportProtocol: with the prefix it would be replaced by this file again.
const os: typeof import('node:os') = require('os');

// biome-ignore lint/style/noDefaultExport: it stands for a module that has one.
export default os;
