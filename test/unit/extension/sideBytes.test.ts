import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sideBytes } from '../../../src/extension/sideBytes.ts';
import { bytesSide } from '../../helpers/fakeTimelineApp.ts';
import { plainLocalizer } from '../../helpers/plainLocalizer.ts';

test('bytes are served as they are', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  assert.equal(sideBytes(bytesSide(bytes), plainLocalizer), bytes);
});

test('what has no bytes is a readable text', () => {
  const read = (content: Parameters<typeof sideBytes>[0]): string =>
    Buffer.from(sideBytes(content, plainLocalizer)).toString();
  assert.equal(read({ kind: 'absent' }), '');
  assert.equal(read({ kind: 'symlink', target: '../x' }), 'Symbolic link to ../x\n');
  assert.equal(read({ kind: 'directory', mode: 0o700 }), 'A folder was here, with mode 700.\n');
  assert.equal(
    read({ kind: 'unavailable', reason: 'The file is above the size limit.' }),
    'This content cannot be shown: The file is above the size limit.\n',
  );
});
