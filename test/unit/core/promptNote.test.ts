/** Which prompts are notes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteInPrompt } from '../../../src/core/promptNote.ts';

const rows: readonly (readonly [string, string | undefined])[] = [
  ['# use pnpm', 'use pnpm'],
  ['#\tuse pnpm  \n', 'use pnpm'],
  ['#   名前は中国語', '名前は中国語'],
  ['# # twice', '# twice'],
  ['#use pnpm', undefined],
  ['## use pnpm', undefined],
  ['#', undefined],
  ['#  \t ', undefined],
  ['#!/bin/sh', undefined],
  ['#123 is still open', undefined],
  ['use # pnpm', undefined],
  ['# Heading\n\nA pasted text.', undefined],
  ['# Heading\r\nA pasted text.', undefined],
  ['# Heading\u2028more', undefined],
  ['', undefined],
];

for (const [prompt, note] of rows)
  test(`${JSON.stringify(prompt)} is ${note === undefined ? 'a prompt' : 'a note'}`, () => {
    assert.equal(noteInPrompt(prompt), note);
  });
