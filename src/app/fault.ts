/** Something in the store that is not as it should be and can be mended: what `doctor` tells and `repair` does. */
import type { Finding } from './timelineApp.ts';

export interface Fault {
  /** As doctor tells it. */
  readonly finding: Finding;
  /** As repair tells it afterwards: a sentence. */
  readonly mended: string;
  /** Called while no operation of the root runs. @throws UserError, system errors. */
  readonly mend: () => void;
}

/** Crashes leave it behind; it only takes up room. */
export function leftover(subject: string, text: string, mended: string, mend: () => void): Fault {
  return { finding: { severity: 'note', subject, text }, mended, mend };
}

/** Something cannot be done, or is not told, as long as it is there. */
export function fault(subject: string, text: string, mended: string, mend: () => void): Fault {
  return { finding: { severity: 'problem', subject, text }, mended, mend };
}
