/** Real payloads of each client against the events they must become. `UPDATE_GOLDEN=1` writes the expected files anew. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parsePayload } from '../../../src/agents/parsePayload.ts';

const payloads = path.resolve(import.meta.dirname, '../../fixtures/payloads');
const clients = fs.readdirSync(payloads).filter((name) => name !== 'golden');

for (const client of clients) {
  test(`samples of ${client}`, () => {
    const folder = path.join(payloads, client);
    const actual = Object.fromEntries(
      fs
        .readdirSync(folder)
        .sort()
        .map((file) => [file, parsePayload(read(path.join(folder, file)), { agent: client })]),
    );
    const golden = path.join(payloads, 'golden', `${client}.json`);
    if (process.env['UPDATE_GOLDEN'] === '1') {
      fs.mkdirSync(path.dirname(golden), { recursive: true });
      fs.writeFileSync(golden, `${JSON.stringify(actual, null, 2)}\n`);
    }
    assert.deepEqual(actual, read(golden));
  });

  test(`samples of ${client} are known without their file's name`, () => {
    for (const file of fs.readdirSync(path.join(payloads, client))) {
      const parsed = parsePayload(read(path.join(payloads, client, file)), { agent: 'claude' });
      if ('event' in parsed) assert.equal(parsed.event.agent, client, file);
    }
  });
}

function read(file: string): unknown {
  return JSON.parse(fs.readFileSync(file, 'utf8')) as unknown;
}
