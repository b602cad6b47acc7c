/** Questions, choices and notices as data, so that the flows that ask them run without VS Code and tests can answer. */

export interface Choice<Id extends string> {
  readonly id: Id;
  readonly label: string;
}

export interface Question<Id extends string> {
  readonly message: string;
  /** Several lines below the message; empty for none. */
  readonly detail: string;
  /** Besides Cancel, which is always there. The first is what Enter does: nothing that cannot be undone. */
  readonly choices: readonly Choice<Id>[];
}

/** Asks in a modal dialog. Undefined: cancelled. */
export type Ask = <Id extends string>(question: Question<Id>) => Promise<Id | undefined>;

/** Says something in a notification. Undefined: dismissed, whenever that may be. */
export type Tell = <Id extends string>(
  message: string,
  choices: readonly Choice<Id>[],
) => Promise<Id | undefined>;

export type PickEntry<T> =
  | { readonly kind: 'separator'; readonly label: string }
  | {
      readonly kind: 'item';
      readonly label: string;
      readonly description: string;
      readonly detail: string;
      readonly value: T;
      /** Id of a product icon. */
      readonly icon?: string;
      /** At the end of the row; pressing one picks its value. */
      readonly buttons?: readonly PickButton<T>[];
      /** Enter picks this one, unless somebody moves first. Default: the first. */
      readonly active?: boolean;
    };

export interface PickButton<T> {
  /** Id of a product icon. */
  readonly icon: string;
  readonly tooltip: string;
  readonly value: T;
}

export interface PickTexts {
  readonly title: string;
  readonly placeholder: string;
  /** Said when there is nothing to pick. */
  readonly empty: string;
  /** Stays while one looks at an editor. */
  readonly stays?: boolean;
}

/** Lets somebody pick an entry or a button. Undefined: none was. @throws UserError `nothingToDo` without entries. */
export type Pick = <T>(
  entries: readonly PickEntry<T>[],
  texts: PickTexts,
) => Promise<T | undefined>;

export interface InputTexts {
  readonly title: string;
  readonly prompt: string;
  readonly value: string;
  /** Said while there is nothing but blanks. */
  readonly empty: string;
}

/** Lets somebody type a line; trimmed. Undefined: given up. */
export type Input = (texts: InputTexts) => Promise<string | undefined>;

/** Lets somebody pick any number of entries; those that are `active` are picked at first. Undefined: given up. */
export type PickMany = <T>(
  entries: readonly Extract<PickEntry<T>, { kind: 'item' }>[],
  texts: PickTexts,
) => Promise<readonly T[] | undefined>;
