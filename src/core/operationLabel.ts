/** How an operation that takes another one back is called. Pure. */

const undid = 'Undid: ';
const redid = 'Redid: ';

/** Of `Rewound to before turn 3` it is `Undid: …`, of that one `Redid: …`, of that one `Undid: …` again. */
export function takenBackLabel(label: string): string {
  let act = label;
  let isUndone = false;
  for (;;) {
    if (act.startsWith(undid)) {
      isUndone = !isUndone;
      act = act.slice(undid.length);
    } else if (act.startsWith(redid)) {
      act = act.slice(redid.length);
    } else return `${isUndone ? redid : undid}${act}`;
  }
}
