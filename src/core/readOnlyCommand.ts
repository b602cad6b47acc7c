/** Whether a shell command plainly changes no file, so that nothing is saved around it and no turn marked for it. Pure. */

const readers =
  /^(?:cat|head|tail|less|wc|ls|pwd|stat|file|du|df|tree|grep|egrep|fgrep|rg|ag|find|which|type|echo|printf|true|date|whoami|uname|ps|env(?=$)|git (?:status|log|diff|show|branch|rev-parse|ls-files|blame|remote -v))(?:\s|$)/;

/**
 * What could write or run something else: redirection, substitution (PowerShell and fish do it in parentheses), find's
 * actions, output options, filters, a compiled magic file.
 */
const writers =
  /[<>`$|;&\r\n\\(){}]|\s-[oOC]|\s-(?:delete|exec|execdir|ok|okdir|fprint0?|fls|fprintf|-output|-compile|-pre|-pager|-hostname-bin|-log-file|-ext-diff|-textconv)\b/;

/**
 * True only for single, plain reading commands; in doubt false. @param command the whole of it: what was cut short or
 * joined into one line may have been another command
 */
export function isReadOnlyCommand(command: string): boolean {
  const text = command.trim();
  return text.length < 200 && readers.test(text) && !writers.test(text);
}
