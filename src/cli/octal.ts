/** Permission bits as people write them. */
export function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}
