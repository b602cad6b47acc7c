/** Entry of the hook bundle. */
import { runHook } from './hook.ts';

// The launcher passes `hook claude …`; called directly, the word may be missing.
const args = process.argv.slice(2);
void runHook(args[0] === 'hook' ? args.slice(1) : args, process.env).finally(() => process.exit(0));
