/** The label of a checkpoint: first line of the prompt, cut by grapheme, secrets masked (spec/checkpoints A.3.6). Pure. */

const longest = 120;

/** At most 120 graphemes of valid Unicode on one line; `…` marks a cut. Empty for an empty prompt. */
export function labelOf(prompt: string): string {
  const line = prompt.trim().split(/\r\n|[\r\n\u2028\u2029]/, 1)[0] ?? '';
  return cutGraphemes(maskSecrets(line.slice(0, longest * 40).toWellFormed()), longest);
}

/** The first `count` graphemes, with `…` when something was cut off. */
export function cutGraphemes(text: string, count: number): string {
  if (text.length <= count) return text;
  let taken = 0;
  for (const { index } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(
    text,
  )) {
    if (taken++ === count) return `${text.slice(0, index)}…`;
  }
  return text;
}

/** Well-known token shapes; conservative, since the label is for people to recognise their prompt. */
const secrets =
  /\b(?:sk-[A-Za-z0-9_-]{16,}|gh[opsur]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|xox[abprs]-[A-Za-z0-9-]{10,}|AKIA[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{30,}|eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}|(?<=password[=: ])\S{6,})/gi;

export function maskSecrets(text: string): string {
  return text.replace(secrets, '•••');
}
