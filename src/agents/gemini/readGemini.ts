/** Gemini CLI: prompts come with whatever context hooks put in front of them. Pure, part of the hook. */
import type { Fields } from '../fields.ts';
import { readGeneric } from '../generic/readGeneric.ts';
import type { PayloadHint, Reading } from '../reading.ts';

export function readGemini(payload: Fields, hint: PayloadHint): Reading {
  const reading = readGeneric(payload, 'gemini', hint);
  return { ...reading, prompt: withoutContext(reading.prompt) };
}

const closing = '</hook_context>';

/** Only leading blocks: what stands later was typed by the user. */
export function withoutContext(prompt: string | undefined): string | undefined {
  let rest = prompt?.trimStart();
  if (rest?.startsWith('<hook_context>') !== true) return prompt;
  while (rest.startsWith('<hook_context>')) {
    const end = rest.indexOf(closing);
    if (end < 0) return rest;
    rest = rest.slice(end + closing.length).trimStart();
  }
  return rest;
}
