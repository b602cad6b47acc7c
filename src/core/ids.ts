/** Identifiers: their types, and the folder name a session id gets. Pure. */

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** The agent's own conversation id, verbatim. May hold anything; see `sessionFolder`. */
export type SessionId = Branded<'SessionId'>;
export type TurnId = Branded<'TurnId'>;
export type OperationId = Branded<'OperationId'>;
export type ProjectId = Branded<'ProjectId'>;
/** Absolute real path of the folder a store belongs to. */
export type Root = Branded<'Root'>;
/** Canonical name of a file inside a root: relative, `/`-separated, one spelling per file. */
export type Key = Branded<'Key'>;

export const asSessionId = (id: string): SessionId => id as SessionId;
export const asTurnId = (id: string): TurnId => id as TurnId;
export const asOperationId = (id: string): OperationId => id as OperationId;
export const asProjectId = (id: string): ProjectId => id as ProjectId;

const plainName = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;
const reservedOnWindows = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/**
 * The folder name of a session under `.memcode/checkpoints`. A plain id is its own name; any other id gets a stable
 * encoded form that starts with `~`, which no plain name does (spec: the hook must not fail for such an id).
 */
export function sessionFolder(id: SessionId): string {
  if (plainName.test(id) && !isReservedName(id) && !id.endsWith('.')) return id;
  return `~${fingerprint(id)}`;
}

/** Windows takes such a file name for a device. */
export function isReservedName(name: string): boolean {
  return reservedOnWindows.test(name);
}

/**
 * Sixteen hex digits that stand for a text: two 32-bit FNV-1a hashes, the second over the reversed text. Not a
 * cryptographic hash: it names folders, and whoever reads such a folder checks the full text stored inside.
 * (The hook cannot afford to load `node:crypto`; see ARCHITECTURE, "Hook budget".)
 */
export function fingerprint(text: string): string {
  let forward = 0x811c9dc5;
  let backward = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    forward = Math.imul(forward ^ text.charCodeAt(i), 0x01000193);
    backward = Math.imul(backward ^ text.charCodeAt(text.length - 1 - i), 0x01000193);
  }
  return hex(forward) + hex(backward ^ text.length);
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}
