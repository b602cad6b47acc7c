/** What a verb prints: lines and tables for people, or one JSON value. Nothing foreign reaches a stream unescaped. */
import type { CliHost } from './cliHost.ts';
import { type Column, tableLines } from './table.ts';
import { neutraliseJson, render, type Text } from './text.ts';

export class Output {
  /** `--json`: one value on stdout and nothing else there. */
  readonly json: boolean;
  readonly #host: CliHost;

  constructor(host: CliHost, json: boolean) {
    this.#host = host;
    this.json = json;
  }

  /** Stdout is a terminal. */
  get toTerminal(): boolean {
    return this.#host.columns > 0;
  }

  get colour(): boolean {
    return this.#host.colour;
  }

  line(text: Text = ''): void {
    this.#host.stdout.write(`${render(text, this.#host.colour)}\n`);
  }

  table(columns: readonly Column[], rows: readonly (readonly Text[])[], indent = 0): void {
    for (const line of tableLines(columns, rows, this.#host.columns, indent)) this.line(line);
  }

  value(value: unknown): void {
    this.#host.stdout.write(`${neutraliseJson(JSON.stringify(value, null, 2))}\n`);
  }

  /** As it is: the caller has made it fit for where stdout goes. */
  raw(chunk: string | Uint8Array): void {
    this.#host.stdout.write(chunk);
  }

  /** A line on stderr. */
  note(text: Text): void {
    this.#host.stderr.write(`${render(text, false)}\n`);
  }

  noteLines(text: string): void {
    for (const line of text.split('\n')) this.note(line);
  }
}
