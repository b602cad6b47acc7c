import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timelinePage } from '../../../src/extension/timelinePage.ts';

const page = timelinePage({
  cspSource: 'https://*.example.test',
  nonce: 'abc123',
  scriptUri: 'https://x.example.test/timeline.js?a=1&b=2',
  styleUri: 'https://x.example.test/timeline.css',
  language: 'en',
  title: 'Time "line" <b>',
});

test('the page allows its own bundle and nothing else', () => {
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';
  assert.deepEqual(policy.split('; ').toSorted(), [
    "default-src 'none'",
    'font-src https://*.example.test',
    'img-src https://*.example.test',
    "script-src 'nonce-abc123'",
    "style-src https://*.example.test 'nonce-abc123'",
  ]);
  assert.doesNotMatch(policy, /unsafe/);
});

test('nothing is inline and texts are escaped', () => {
  assert.doesNotMatch(page, /<style|style="|onload|<b>/);
  assert.match(page, /<title>Time &quot;line&quot; &lt;b&gt;<\/title>/);
  assert.match(page, /src="https:\/\/x\.example\.test\/timeline\.js\?a=1&amp;b=2"><\/script>/);
});
