/** Whether a shell command plainly changes nothing, so that a turn need not be marked for it. Pure. */

const readers =
  /^(?:cat|head|tail|less|wc|ls|pwd|stat|file|du|df|tree|grep|egrep|fgrep|rg|ag|find|which|type|echo|printf|true|date|whoami|uname|ps|env(?=$)|git (?:status|log|diff|show|branch|rev-parse|ls-files|blame|remote -v))(?:\s|$)/;

/** What could write or run something else: redirection, substitution, find's actions, output options, filters. */
const writers =
  /[<>`$|;&\n\\]|\s-(?:delete|exec|execdir|ok|okdir|fprint0?|fls|fprintf|o|-output|-pre|-ext-diff|-textconv)\b/;

/** True only for single, plain reading commands; in doubt false. */
export function isReadOnlyCommand(command: string): boolean {
  const text = command.trim();
  return text.length < 200 && readers.test(text) && !writers.test(text);
}
