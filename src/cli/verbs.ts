/** The table of verbs, in the order of the help. */
import type { Verb } from './verb.ts';
import { compare } from './verbs/compare.ts';
import { connect } from './verbs/connect.ts';
import { diff } from './verbs/diff.ts';
import { disconnect } from './verbs/disconnect.ts';
import { doctor } from './verbs/doctor.ts';
import { erase } from './verbs/erase.ts';
import { hook } from './verbs/hook.ts';
import { importVerb } from './verbs/import.ts';
import { list } from './verbs/list.ts';
import { mcp } from './verbs/mcp.ts';
import { memory } from './verbs/memory.ts';
import { operations } from './verbs/operations.ts';
import { preview } from './verbs/preview.ts';
import { project } from './verbs/project.ts';
import { projects } from './verbs/projects.ts';
import { redo } from './verbs/redo.ts';
import { restore } from './verbs/restore.ts';
import { restoreSnapshot } from './verbs/restoreSnapshot.ts';
import { revert } from './verbs/revert.ts';
import { rewind } from './verbs/rewind.ts';
import { sessions } from './verbs/sessions.ts';
import { show } from './verbs/show.ts';
import { snapshot } from './verbs/snapshot.ts';
import { snapshots } from './verbs/snapshots.ts';
import { undo } from './verbs/undo.ts';

export const verbs: readonly Verb[] = [
  sessions,
  list,
  show,
  diff,
  preview,
  rewind,
  redo,
  revert,
  restore,
  operations,
  undo,
  snapshots,
  snapshot,
  compare,
  restoreSnapshot,
  projects,
  project,
  memory,
  importVerb,
  connect,
  disconnect,
  doctor,
  erase,
  hook,
  mcp,
];
