/**
 * `node:fs` in the hook bundle. esbuild gives each file that imports a built-in module a copy of that module's names, a
 * hundred property definitions for `fs` alone; with 30 such imports that is a tenth of the hook's time. The build puts
 * this file in the place of `node:fs` (`--alias`), and all of them share one binding.
 */

// biome-ignore lint/style/useNodejsImportProtocol: with the prefix it would be replaced by this file again.
const fs: typeof import('node:fs') = require('fs');

// biome-ignore lint/style/noDefaultExport: it stands for a module that has one.
export default fs;
