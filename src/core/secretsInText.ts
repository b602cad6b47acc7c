/**
 * Texts that look like a secret: what is remembered is read by every later session and by people, so that none may hold
 * one. Shapes that are well known, also where a line breaks them, and values given to names such as `password`; a text that
 * only speaks of passwords passes. Pure.
 */

export interface FoundSecret {
  /** What it looks like: `a GitHub token`. */
  readonly kind: string;
  /** From 1. */
  readonly line: number;
}

interface Shape {
  readonly kind: string;
  readonly pattern: RegExp;
}

const inAddress = 'a password in an address';

const shapes: readonly Shape[] = [
  {
    kind: 'a private key',
    pattern: /-----BEGIN\s+(?:[A-Z0-9]+\s+)*PRIVATE\s+KEY(?:\s+BLOCK)?-----/,
  },
  { kind: 'a private key', pattern: /\bb3BlbnNzaC1rZXktdjE[A-Za-z0-9+/]/ },
  { kind: 'a PuTTY private key', pattern: /\bPuTTY-User-Key-File-\d/ },
  { kind: 'an age key', pattern: /\bAGE-SECRET-KEY-1[0-9A-Z]{50,}\b/ },
  { kind: 'a GitHub token', pattern: /\b(?:gh[opsur]_[A-Za-z0-9]{20,}|github_pat_\w{20,})/ },
  { kind: 'a GitLab token', pattern: /\bgl(?:pat|dt|rt|ptt|soat)-[\w-]{20,}/ },
  { kind: 'an AWS key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}/ },
  { kind: 'an API key', pattern: /\bsk-(?=[A-Za-z0-9_-]{0,200}\d)[A-Za-z0-9_-]{16,}/ },
  { kind: 'a Stripe key', pattern: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/ },
  { kind: 'a webhook secret', pattern: /\bwhsec_[A-Za-z0-9+/=]{16,}/ },
  { kind: 'a Google key', pattern: /\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}|\bGOCSPX-[\w-]{20,}/ },
  {
    kind: 'a Slack token',
    pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-\d-[A-Za-z0-9-]{10,}/,
  },
  { kind: 'a Slack webhook', pattern: /hooks\.slack\.com\/services\/T\w+\/B\w+\/\w{16,}/ },
  { kind: 'a Discord webhook', pattern: /discord(?:app)?\.com\/api\/webhooks\/\d+\/[\w-]{30,}/ },
  { kind: 'a Telegram token', pattern: /\b\d{8,10}:AA[\w-]{32,}/ },
  { kind: 'an npm token', pattern: /\bnpm_[A-Za-z0-9]{30,}|_authToken\s*=\s*[^\s$]{8,}/ },
  { kind: 'a PyPI token', pattern: /\bpypi-AgE[\w-]{40,}/ },
  { kind: 'a Hugging Face token', pattern: /\bhf_[A-Za-z0-9]{30,}/ },
  { kind: 'a SendGrid key', pattern: /\bSG\.[\w-]{16,}\.[\w-]{16,}/ },
  { kind: 'a DigitalOcean token', pattern: /\bdo[opr]_v1_[a-f0-9]{40,}/ },
  { kind: 'a Shopify token', pattern: /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/ },
  { kind: 'a JSON web token', pattern: /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{5,}/ },
  {
    kind: 'an Azure key',
    pattern: /\bAccountKey=[A-Za-z0-9+/=]{40,}|[?&]sig=[A-Za-z0-9%+/=-]{30,}/,
  },
  { kind: 'an Atlassian token', pattern: /\bATATT[\w=-]{20,}/ },
  { kind: 'a Databricks token', pattern: /\bdapi[0-9a-f]{32}/ },
  { kind: 'a Docker token', pattern: /\bdckr_[op]at_[\w-]{20,}/ },
  { kind: 'a Grafana token', pattern: /\bgl(?:sa|c)_[\w+/=]{20,}/ },
  { kind: 'a Groq key', pattern: /\bgsk_[A-Za-z0-9]{20,}/ },
  { kind: 'a Linear key', pattern: /\blin_(?:api|oauth)_[A-Za-z0-9]{20,}/ },
  { kind: 'a Notion token', pattern: /\bntn_[A-Za-z0-9]{20,}|\bsecret_[A-Za-z0-9]{43}\b/ },
  { kind: 'a Replicate token', pattern: /\br8_[A-Za-z0-9]{30,}/ },
  { kind: 'a Sentry token', pattern: /\bsntry[su]_[\w+/=-]{20,}/ },
  { kind: 'a Vault token', pattern: /\bhv[bs]\.[\w-]{20,}/ },
  { kind: 'an xAI key', pattern: /\bxai-[A-Za-z0-9]{20,}/ },
  {
    kind: inAddress,
    pattern: /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]*:(?!\$|<|\*|\{|%s)[^\s/@]{3,}@/i,
  },
  { kind: 'a bearer token', pattern: /\bBearer\s+(?=[\w.~+/=-]*\d)[\w.~+/=-]{20,}/i },
  { kind: 'basic credentials', pattern: /\bAuthorization:\s*Basic\s+[A-Za-z0-9+/=]{8,}/i },
  {
    kind: 'credentials of a command',
    pattern: /\bcurl\s(?:[^\n]{0,200}?\s)?(?:-u|--user)\s+["']?[^\s:"'$]+:[^\s"'$<]{4,}/,
  },
  {
    kind: 'credentials of a machine',
    pattern: /\bmachine\s+\S+\s+login\s+\S+\s+password\s+\S{4,}/i,
  },
];

const promising =
  '(?:password|passwd|passphrase|passwort|pwd|[_-]pass|secret|(?:api|access|private|secret|signing|encryption)[_-]?key|token)';
const promise = new RegExp(promising, 'i');
const oneWord = '(["\'`]?)([^\\s"\'`,;|<>]{6,})\\1';
const someWords = '["\'`“„«‘]([^"\'`“”„«»‘’<>\\n]{8,120})["\'`“”»’]';

/** Names that promise a secret, and a value: in code, lists, tables, mark-up, commands and sentences. */
const assignedTo = (value: string, inElement = value): readonly RegExp[] =>
  [
    `(?<![\\w.-])["'\`]?[\\w.-]*${promising}["'\`*_]{0,3}\\s*(?::=|=>|[=:|])[\\s*]*${value}`,
    `<[\\w.:-]*${promising}>${inElement}</`,
    `(?<!\\S)--[\\w-]*${promising}(?:\\s+|=)${value}`,
    `\\b${promising}\\s+(?:(?:for|of|to)\\s+[\\w./-]{1,30}\\s+)?is\\s*:?\\s+${value}`,
  ].map((pattern) => new RegExp(pattern, 'gi'));
const assigned = assignedTo(oneWord);
const assignedPhrase = assignedTo(someWords, '([^<>\\n]{8,120})');
/** Values that stand for one: `<token>`, `${TOKEN}`, `process.env.TOKEN`, `****`, `your-token`, an address. */
const standIn =
  /^(?:[<[{(%$*#@.]|x{3,}|\.{3}|https?:|process\.|os\.|env\.|import\.|config\.|settings\.|secrets?\.|vault:|op:\/\/|your|my[-_]|example|dummy|changeme|redacted|placeholder|undefined|string|number|boolean|required|optional)/i;

/** The first one, or undefined. */
export function secretIn(text: string): FoundSecret | undefined {
  const found = shapes.flatMap(({ kind, pattern }) => {
    const at = text.search(pattern);
    return at < 0 ? [] : [{ kind, at }];
  });
  const whole = joined(text);
  for (const { kind, pattern } of shapes) {
    const at = kind === inAddress ? -1 : whole.text.search(pattern);
    if (at >= 0) found.push({ kind, at: whole.before(at) });
  }
  for (const match of assigned.flatMap((pattern) => [...text.matchAll(pattern)])) {
    if (isSecretValue(match[2] ?? '', /["']/.test(match[1] ?? '')))
      found.push({ kind: 'a password or token', at: match.index });
  }
  for (const match of assignedPhrase.flatMap((pattern) => [...text.matchAll(pattern)])) {
    const [whole, phrase = ''] = match;
    if (isSecretPhrase(phrase, whole.slice(0, whole.lastIndexOf(phrase))))
      found.push({ kind: 'a password or token', at: match.index });
  }
  const [first] = found.sort((a, b) => a.at - b.at);
  return first && { kind: first.kind, line: text.slice(0, first.at).split('\n').length };
}

/** What stands in the middle of a word that a line breaks, and what nobody sees. */
const gaps = /(?<=[\w+/=.-])[ \t]*\\?\r?\n[ \t>]*(?=[\w+/=.-])|[\u00ad\u200b-\u200d\u2060\ufeff]/g;

/** The text with its broken words in one, and where in the whole a place of it lies. */
function joined(text: string): { readonly text: string; before(at: number): number } {
  const cuts: { readonly at: number; readonly length: number }[] = [];
  const whole = text.replaceAll(gaps, (gap, at: number) => {
    cuts.push({ at, length: gap.length });
    return '';
  });
  return {
    text: whole,
    before: (at) => cuts.reduce((sum, cut) => (cut.at <= sum ? sum + cut.length : sum), at),
  };
}

/** Words of prose and names of variables are none: a secret has a digit or a sign, or stands in quotes. */
function isSecretValue(value: string, isQuoted: boolean): boolean {
  if (standIn.test(value)) return false;
  if (/^[A-Z][A-Z0-9_]*$/.test(value) && value.includes('_')) return false;
  if (/^[\w.]+\(/.test(value)) return false;
  return isQuoted || /\d/.test(value) || /[^\p{L}\p{N}._\-/]/u.test(value);
}

/** How what speaks of a secret, or asks for one, begins. */
const asking =
  /^(?:see|ask|use|enter|type|please|show|hide|confirm|repeat|reset|forgot|change|new|old|invalid|wrong|required|optional|must|stored|kept|set)\b/i;
/** Words that sentences and labels of forms have, and a row of words that somebody drew by lot has not. */
const ofSentences =
  /\b(?:an?|the|is|are|be|was|in|on|at|of|for|to|from|by|with|without|and|or|but|not|no|if|when|after|before|we|you|it|its|this|that|must|may|can|should|has|have|characters|vault|field|der|die|das|und|oder|nicht|bitte|im)\b/gi;

/** Several words: random ones, or some with digits in their middle. What speaks of a secret names it, or is a sentence. */
function isSecretPhrase(value: string, name: string): boolean {
  const phrase = value.trim();
  const words = phrase.split(/\s+/);
  if (words.length < 2 || standIn.test(phrase) || asking.test(phrase)) return false;
  if (promise.test(phrase)) return false;
  const common = phrase.match(ofSentences)?.length ?? 0;
  if (common <= 1 && (words.some(isScrambled) || words.every(isMixed))) return true;
  return words.length >= 3 && /pass|pwd/i.test(name) && common === 0;
}

const isMixed = (word: string): boolean => /\p{L}/u.test(word) && /\d/.test(word);
/** Not `OAuth2` or `30min`. */
const isScrambled = (word: string): boolean => /\p{L}.*\d\p{L}{2}/u.test(word);
