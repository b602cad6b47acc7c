/** The words an agent is told about operations on its files. Pure. */

/** Agents cut or hide longer texts (Claude Code at about 10,000 characters). */
const longest = 8_000;
const mostPaths = 100;

export function noteText(
  notes: readonly { readonly label: string; readonly paths: readonly string[] }[],
): string {
  const parts = notes.map(({ label, paths }) => {
    const shown = paths.slice(0, mostPaths).map((path) => `- ${JSON.stringify(path)}`);
    const more = paths.length > mostPaths ? [`- and ${paths.length - mostPaths} more`] : [];
    return [`${label}. Changed on disk:`, ...shown, ...more].join('\n');
  });
  const text = [
    'Memcode Timeline: since your last turn the user changed files with undo. Your memory of them is out of date;',
    'read them again before you edit them, and do not bring the undone changes back unless you are asked to.',
    ...parts,
  ].join('\n');
  return text.length <= longest ? text : `${text.slice(0, longest)}\n(cut)`;
}
