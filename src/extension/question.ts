/** Questions and notices as data, so that the flows that ask them run without VS Code and tests can answer. */

export interface Choice<Id extends string> {
  readonly id: Id;
  readonly label: string;
}

export interface Question<Id extends string> {
  readonly message: string;
  /** Several lines below the message; empty for none. */
  readonly detail: string;
  /** Besides Cancel, which is always there. The first is what Enter does, so it must be harmless. */
  readonly choices: readonly Choice<Id>[];
}

/** Asks in a modal dialog. Undefined: cancelled. */
export type Ask = <Id extends string>(question: Question<Id>) => Promise<Id | undefined>;

/** Says something in a notification. Undefined: dismissed, whenever that may be. */
export type Tell = <Id extends string>(
  message: string,
  choices: readonly Choice<Id>[],
) => Promise<Id | undefined>;
