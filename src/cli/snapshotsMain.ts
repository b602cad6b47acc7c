/** Entry of the bundle that hooks load when they need snapshots: everything else of theirs starts without it. */
export { openSnapshots } from '../app/snapshots.ts';
