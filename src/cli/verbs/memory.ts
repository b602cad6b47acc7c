import { UserError } from '../../core/errors.ts';
import { agentWriteModes, memoryScopes } from '../../core/memory.ts';
import { targetScopes } from '../../memory/documentTargets.ts';
import type { CliContext } from '../cliContext.ts';
import type { ExitStatus } from '../exitStatus.ts';
import {
  editNote,
  forgetNote,
  moveNote,
  pinning,
  rememberNote,
} from '../memoryActions/changeNotes.ts';
import {
  allowImport,
  forbidImport,
  listDocuments,
  noteToDocument,
  trustFolder,
} from '../memoryActions/documents.ts';
import { exportToDocument, importFromDocument } from '../memoryActions/exchange.ts';
import { changeFacts, dropFact, listFacts } from '../memoryActions/facts.ts';
import { memoryAsOf, noteHistory, restoreNote } from '../memoryActions/history.ts';
import { approveWrite, listPending, rejectWrite, showWrites } from '../memoryActions/pending.ts';
import { changePresets, listPresets } from '../memoryActions/presets.ts';
import { listNotes, recallNotes, showNote } from '../memoryActions/readNotes.ts';
import { memorySetting } from '../memoryActions/settings.ts';
import { showContext } from '../memoryActions/showContext.ts';
import { adoptMemory, memoryProblems } from '../memoryActions/upkeep.ts';
import type { Verb, VerbCall } from '../verb.ts';

type Action = (call: VerbCall, context: CliContext) => Promise<ExitStatus>;

const actions: Readonly<Record<string, Action>> = {
  list: listNotes,
  show: showNote,
  recall: recallNotes,
  remember: rememberNote,
  forget: forgetNote,
  edit: editNote,
  pin: pinning(true),
  unpin: pinning(false),
  move: moveNote,
  facts: listFacts,
  set: changeFacts,
  unset: dropFact,
  pending: listPending,
  approve: approveWrite,
  reject: rejectWrite,
  writes: showWrites,
  history: noteHistory,
  restore: restoreNote,
  'as-of': memoryAsOf,
  adopt: adoptMemory,
  problems: memoryProblems,
  compose: showContext,
  documents: listDocuments,
  'note-to-document': noteToDocument,
  export: exportToDocument,
  import: importFromDocument,
  'allow-import': allowImport,
  'forbid-import': forbidImport,
  trust: trustFolder,
  presets: listPresets,
  preset: changePresets,
  setting: memorySetting,
};

/** What every session of an agent starts with: notes and facts. */
export const memory: Verb = {
  name: 'memory',
  summary: 'list, find, write and approve what agents remember, and see what they are given',
  details: [
    'A note is a Markdown file, a fact one line of a file. Both are kept for all folders (global) or for the project of this one. A project’s note is meant before a global one of the same name; --scope says which.',
    'list, show <name>, recall <words>: read. remember <text>: a note, called by --name or by its first line; one of that name is replaced. forget <name>. edit <name> [text], pin, unpin, move <name> <scope>: of a note. facts, set <key> <value>, unset <key>. A text that is - is read from standard input.',
    `writes [mode]: what becomes of agents’ writes: ${agentWriteModes.join(', ')} (default ask: they wait). pending; approve <id> [text]; reject <id>.`,
    'history <name>: its versions. restore <change> [side]: what it was before (default) or after that change. as-of <turn>: all of it as it was when the turn ended. adopt [place]: the memory of a folder that was moved becomes that of this one. problems: files that cannot be read.',
    'compose [agent]: exactly what an agent is given when a session starts here, with sizes and sources. documents: AGENTS.md and its kin, with what was left out and why. note-to-document <text>: one bullet under the heading Notes; --document says of which (default local, which is yours). allow-import, forbid-import <file>: a file outside that a document imports or links to. trust [yes|no]: whether documents of this folder are read.',
    'export: the notes and facts of the project (or --scope global) into a block of AGENTS.md, for others who work here; what stands around it stays. import: from that block. What memory says otherwise is kept unless --anyway is given. --document says which document (default project).',
    'presets: of the mode in use. preset use|duplicate|remove <preset>, preset add <text> --name, preset edit <preset> --name --text, preset restore. setting [name] [value]: what is given at all.',
    'Keys, tokens and passwords are refused. Taking back what the turns of a rewind wrote: rewind --memory take-back.',
  ],
  arguments: [
    { name: '[action]', description: 'what to do (default: list)', choices: Object.keys(actions) },
    { name: '[what]', description: 'a name, a key, words, an id, or what the action takes' },
    { name: '[to]', description: 'what the action takes' },
  ],
  options: [
    {
      flags: '--scope <scope>',
      description: 'global, or of the project (default when writing)',
      choices: [...memoryScopes],
    },
    { flags: '--name <name>', description: 'remember: what to call it; edit: a new name' },
    {
      flags: '--mode <mode>',
      description: 'list, recall: of this mode; remember, edit: only there',
    },
    { flags: '--limit <count>', description: 'recall: at most so many notes (default 10)' },
    {
      flags: '--anyway',
      description:
        'remember: although one says nearly the same; approve: although it was changed; export, import: over what differs',
    },
    {
      flags: '--document <which>',
      description:
        'note-to-document (default local), export and import (default project): which one',
      choices: [...targetScopes],
    },
    {
      flags: '--base <text>',
      description: 'compose: only this text with memory behind it, for agents without hooks',
    },
    { flags: '--text <text>', description: 'preset edit: a new text' },
    { flags: '--agent <name>', description: 'this agent writes, in the turn it is in' },
  ],
  examples: [
    { line: 'memory', description: 'the notes of this project and the global ones' },
    {
      line: 'memory remember "Run pnpm, never npm." --name "Package manager"',
      description: 'for every later session in this project',
    },
    { line: 'memory recall "package manager"', description: 'what is known of it' },
    { line: 'memory set editor vim --scope global', description: 'a fact about you' },
    { line: 'memory compose gemini', description: 'what Gemini CLI is given here' },
    { line: 'memory approve 3f2a', description: 'what an agent asked to remember' },
  ],
  async run(call, context) {
    const action = actions[call.argument(0) ?? 'list'];
    if (action === undefined) throw new UserError('usage', 'There is no such action.');
    return action(call, context);
  },
};
