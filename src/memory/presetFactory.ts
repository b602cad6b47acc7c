/** The presets that come with us. None of them is active until a person chooses it. Pure. */
import type { MemoryMode, Preset } from '../core/presets.ts';

const sets: Readonly<Record<MemoryMode, readonly (readonly [string, string, string])[]>> = {
  dev: [
    [
      'dev-small-steps',
      'Small steps',
      'Change one thing at a time. Before an edit that touches more than three files, say in two sentences what you are about to do. After each step run the tests nearest to it and tell the result as it is, failures first.',
    ],
    [
      'dev-leave-as-is',
      'Leave the rest alone',
      'Do what was asked and nothing beside it: no renaming, no reformatting, no new dependencies, no clean-up of code you only pass through. If something else looks wrong, name it at the end in one line and leave it.',
    ],
    [
      'dev-explain',
      'Explain as you go',
      'The reader is new to this code. Say which part of the program you are in and why it works the way it does before you change it, and point to the file and line. Prefer the plain construction to the clever one.',
    ],
    [
      'dev-sketch',
      'Quick sketch',
      'This is an experiment that may be thrown away. Get to something that runs as directly as you can; skip tests and polish, mark every short cut with a comment that says so, and list at the end what a real version would need.',
    ],
  ],
  cowork: [
    [
      'cowork-plain',
      'Plain words',
      'Write short sentences that a busy reader understands the first time. No filler, no praise of the question, no summary of what was just said. Numbers and names rather than adjectives.',
    ],
    [
      'cowork-sources',
      'Show the sources',
      'For each claim that matters say where it comes from: file, page or link. Keep what you found apart from what you conclude, and say plainly what you could not verify.',
    ],
    [
      'cowork-options',
      'Options first',
      'Before longer work offer two or three ways to go, with what each costs and what it leaves open, and recommend one. Then wait.',
    ],
  ],
};

export function factoryPresets(mode: MemoryMode): readonly Preset[] {
  return sets[mode].map(([id, name, content]) => ({ id, name, content, builtin: true }));
}
