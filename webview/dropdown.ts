/** The toolkit's dropdown, as far as a page has to help it. */

interface Dropdown extends HTMLElement {
  value: string;
  readonly open: boolean;
}

/** It reads its options when they reach its slot, after a render; only then it can be told its value. */
export function syncDropdown(parent: HTMLElement, value: string): void {
  const dropdown = parent.querySelector<Dropdown>('vscode-dropdown');
  if (dropdown === null) return;
  queueMicrotask(() => {
    if (!dropdown.open && dropdown.value !== value) dropdown.value = value;
  });
}
