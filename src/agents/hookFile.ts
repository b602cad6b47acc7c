/**
 * Adds our hooks to the text of an agent's configuration file and takes exactly them out again; everything else in the
 * file stays byte for byte. All three agents use one shape: `hooks.<event>[].hooks[].command`. Pure.
 */
import { isDeepStrictEqual } from 'node:util';
import { findNodeAtLocation, getNodeValue } from 'jsonc-parser';
import { UserError } from '../core/errors.ts';
import { isOurCommand } from './hookCommand.ts';
import type { HookGroup } from './hookConfig.ts';
import {
  type ChangedText,
  change,
  type Edit,
  hasComment,
  insertion,
  type Node,
  parseJson,
  removal,
  replacement,
} from './jsonText.ts';

/** Event -> group. */
export type WantedHooks = Readonly<Record<string, HookGroup>>;

const byteOrderMark = '\uFEFF';

/**
 * The text with our hooks in it: missing ones added behind what is there, older ones of ours replaced in place. The same
 * text when nothing is to do.
 * @param text the file's text; empty for a file that does not exist.
 * @param file only for messages.
 * @throws UserError `config` when the file is not JSON or not of the expected shape.
 */
export function addHooks(text: string, wanted: WantedHooks, file: string): ChangedText {
  if (text.replace(byteOrderMark, '').trim() === '') {
    const lists = Object.fromEntries(
      Object.entries(wanted).map(([name, group]) => [name, [group]]),
    );
    const whole = `${JSON.stringify({ hooks: lists }, null, 2)}\n`;
    return change({ text, undo: [] }, [{ offset: text.length, length: 0, content: whole }]);
  }
  return withoutMark(text, (body) => {
    const isExtra = ({ event }: OwnHook, index: number, all: readonly OwnHook[]): boolean =>
      !Object.hasOwn(wanted, event) || all.findIndex((hook) => hook.event === event) < index;
    const cleared = removeWhere(body, isExtra, file);
    return Object.entries(wanted).reduce(
      (at, [event, group]) => change(at, edits(at.text, event, group, file)),
      cleared,
    );
  });
}

/** The text without any hook of ours. @throws UserError `config`. */
export function removeHooks(text: string, file: string): ChangedText {
  if (text.replace(byteOrderMark, '').trim() === '') return { text, undo: [] };
  return withoutMark(text, (body) => removeWhere(body, () => true, file));
}

/** Whether any hook of ours is in the file. @throws UserError `config`. */
export function hasHooks(text: string, file: string): boolean {
  if (text.replace(byteOrderMark, '').trim() === '') return false;
  return ownHooks(parse(text.replace(byteOrderMark, ''), file).hooks).length > 0;
}

/** The file's content as a value; undefined when it is empty. @throws UserError `config`. */
export function settingsIn(text: string, file: string): unknown {
  const body = text.replace(byteOrderMark, '');
  return body.trim() === '' ? undefined : plainValue(parse(body, file).root);
}

/** What brings one event to what is wanted; nothing when it is so already. */
function edits(text: string, event: string, group: HookGroup, file: string): Edit[] {
  const { root, hooks } = parse(text, file);
  if (hooks === undefined) return insertion(text, root, { [event]: [group] }, 'hooks');
  const present = ownHooks(hooks).find((hook) => hook.event === event);
  if (present === undefined) {
    const groups = findNodeAtLocation(hooks, [event]);
    return groups === undefined
      ? insertion(text, hooks, [group], event)
      : insertion(text, expect(groups, 'array', `hooks.${event}`, file), group);
  }
  const isShared = present.handler.parent?.children?.length !== 1;
  const node = isShared ? present.handler : present.group;
  const target = isShared ? group.hooks[0] : group;
  return isDeepStrictEqual(plainValue(node), target) ? [] : replacement(text, node, target);
}

type HookTest = (hook: OwnHook, index: number, all: readonly OwnHook[]) => boolean;

function removeWhere(text: string, isMeant: HookTest, file: string): ChangedText {
  let at: ChangedText = { text, undo: [] };
  for (;;) {
    const meant = ownHooks(parse(at.text, file).hooks).find(isMeant);
    if (meant === undefined) return at;
    at = change(at, removal(at.text, widest(at.text, meant)));
  }
}

interface OwnHook {
  readonly event: string;
  readonly group: Node;
  readonly handler: Node;
}

/** In the file's order. Entries of an unexpected shape are somebody else's. */
function ownHooks(hooks: Node | undefined): readonly OwnHook[] {
  return (hooks?.children ?? []).flatMap((property) => {
    const [key, groups] = property.children ?? [];
    return (groups?.type === 'array' ? (groups.children ?? []) : []).flatMap((group) => {
      const handlers = group.type === 'object' ? findNodeAtLocation(group, ['hooks']) : undefined;
      return (handlers?.type === 'array' ? (handlers.children ?? []) : [])
        .filter((handler) => isOwn(handler))
        .map((handler) => ({ event: String(key?.value), group, handler }));
    });
  });
}

function isOwn(handler: Node): boolean {
  const value = plainValue(handler);
  return typeof value === 'object' && value !== null && 'command' in value
    ? isOurCommand(value.command)
    : false;
}

/** With ordinary prototypes, so that it compares with values of ours. */
function plainValue(node: Node): unknown {
  return JSON.parse(JSON.stringify(getNodeValue(node))) as unknown;
}

/** What goes with a handler: the group, list and property that hold nothing else, up to `hooks` itself. */
function widest(text: string, { handler, group }: OwnHook): Node {
  const groups = group.parent;
  const event = groups?.parent;
  const hooks = event?.parent;
  const isPlain = (group.children ?? []).every((property) =>
    ['matcher', 'hooks'].includes(String(property.children?.[0]?.value)),
  );
  if (!isPlain || !isAlone(text, handler) || commented(text, group, handler.parent)) return handler;
  if (groups === undefined || event === undefined || !isAlone(text, group)) return group;
  if (commented(text, event, groups)) return group;
  const whole = hooks?.parent;
  if (whole === undefined || !isAlone(text, event) || commented(text, whole, hooks)) return event;
  return whole;
}

/** Nothing else is in its container, not even a comment. */
function isAlone(text: string, item: Node): boolean {
  return item.parent?.children?.length === 1 && !commented(text, item.parent, item);
}

/** Whether `outer` has comments outside `inner`. */
function commented(text: string, outer: Node, inner: Node | undefined): boolean {
  const from = inner?.offset ?? outer.offset;
  const to = from + (inner?.length ?? 0);
  return hasComment(text, outer.offset, from) || hasComment(text, to, outer.offset + outer.length);
}

function parse(text: string, file: string): { root: Node; hooks: Node | undefined } {
  const root = expect(parseJson(text, file), 'object', 'it', file);
  const named = (root.children ?? []).filter(
    (property) => property.children?.[0]?.value === 'hooks',
  );
  if (named.length > 1) throw shapeError('`hooks` stands in it twice', file);
  const hooks = named[0]?.children?.[1];
  return { root, hooks: hooks && expect(hooks, 'object', '`hooks`', file) };
}

function expect(node: Node, type: 'object' | 'array', what: string, file: string): Node {
  if (node.type === type) return node;
  throw shapeError(`${what} should be an ${type}`, file);
}

function shapeError(what: string, file: string): UserError {
  return new UserError(
    'config',
    `${file} is not as expected: ${what}. Correct it and try again; it was left as it is.`,
    { file },
  );
}

/** A byte order mark stays in front; the way back counts it. */
function withoutMark(text: string, act: (body: string) => ChangedText): ChangedText {
  if (!text.startsWith(byteOrderMark)) return act(text);
  const { text: changed, undo } = act(text.slice(1));
  const shifted = undo.map((step) => step.map((edit) => ({ ...edit, offset: edit.offset + 1 })));
  return { text: byteOrderMark + changed, undo: shifted };
}
