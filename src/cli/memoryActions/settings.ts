import type { MemoryContextSettings } from '../../app/memorySettings.ts';
import { UserError } from '../../core/errors.ts';
import { isMemoryMode, memoryModes } from '../../core/presets.ts';
import { defaultShares, type Shares } from '../../memory/compose.ts';
import type { CliContext } from '../cliContext.ts';
import type { ExitStatus } from '../exitStatus.ts';
import { wholeNumber } from '../sessionActions/meantSession.ts';
import type { VerbCall } from '../verb.ts';
import { needed, refuseAgents } from './memoryWords.ts';
import { openMemoryContext } from './showContext.ts';

type Change = Partial<MemoryContextSettings>;

const settings: Readonly<Record<string, (value: string) => Change>> = {
  give: (value) => ({ isGiven: isOn(value) }),
  budget: (value) => ({ budget: wholeNumber(value, 'The budget') }),
  documents: (value) => ({ hasFolderDocuments: isOn(value) }),
  'prompt-notes': (value) => ({ keepsPromptNotes: isOn(value) }),
  names: (value) => ({ documentNames: value.split(',').map((name) => name.trim()) }),
  shares: (value) => ({ shares: { ...defaultShares, ...sharesIn(value) } }),
  mode: (value) => {
    if (isMemoryMode(value)) return { mode: value };
    throw new UserError('usage', `The mode is one of ${memoryModes.join(', ')}.`);
  },
};

/** What of memory agents are given: all settings, or one changed. */
export async function memorySetting(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const memory = await openMemoryContext(context);
  const name = call.argument(1);
  if (name !== undefined) {
    refuseAgents(call, context);
    const read = settings[name];
    if (read === undefined)
      throw new UserError('usage', `The settings are ${Object.keys(settings).join(', ')}.`);
    memory.setSettings(read(needed(call, 2, 'value')));
  }
  const { isGiven, budget, shares, hasFolderDocuments, documentNames, mode, keepsPromptNotes } =
    memory.settings();
  const { out } = context;
  if (out.json) out.value(memory.settings());
  else {
    out.line(`give ${onOff(isGiven)}: agents are given memory when a session starts`);
    out.line(`budget ${budget}: tokens at most, less for agents that take less`);
    const parts = Object.entries(shares).map(([part, share]) => `${part}=${share}`);
    out.line(
      `shares ${parts.join(',')}: of it, where not everything has room; the preset goes before`,
    );
    out.line(`documents ${onOff(hasFolderDocuments)}: those of folders, beside your own`);
    out.line(`names ${documentNames.join(',')}: of documents, in this order`);
    out.line(
      `prompt-notes ${onOff(keepsPromptNotes)}: a prompt of one line that begins with # is a note of yours`,
    );
    out.line(`mode ${mode}: whose presets, portrait and notes are given`);
  }
  return 0;
}

/** `documents=60,notes=10`: percent of a budget that is too small for everything. */
function sharesIn(value: string): Partial<Shares> {
  return Object.fromEntries(
    value.split(',').map((pair) => {
      const [, name = '', percent = ''] = /^\s*(\w+)=(\d+)\s*$/.exec(pair) ?? [];
      if (!(name in defaultShares))
        throw new UserError('usage', `Shares are of ${Object.keys(defaultShares).join(', ')}.`);
      return [name, wholeNumber(percent, 'A share')];
    }),
  );
}

function isOn(value: string): boolean {
  if (value === 'on' || value === 'off') return value === 'on';
  throw new UserError('usage', 'It is on or off.');
}

function onOff(value: boolean): string {
  return value ? 'on' : 'off';
}
