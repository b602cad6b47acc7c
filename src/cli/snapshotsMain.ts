/** Entry of the bundle that hooks load when they need snapshots: everything else of theirs starts without it. */
import manifest from '../../package.json' with { type: 'json' };
import { helperProgram } from '../app/helper/startHelper.ts';
import { openSnapshots, type Snapshots, type SnapshotsOptions } from '../app/snapshots.ts';

/**
 * By the root's helper process, which is started when there is none. @param folder of the bundles
 * @throws UserError `unsupported` for a root that can have none.
 */
export function hookSnapshots(folder: string, options: SnapshotsOptions): Snapshots {
  const helper = { version: manifest.version, program: helperProgram(folder), startWithin: 1_500 };
  return openSnapshots({ ...options, helper });
}
