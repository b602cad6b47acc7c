import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { snapshotLabel, snapshotReason } from '../../../src/core/snapshotSummary.ts';

describe('a snapshot', () => {
  it('tells why it was taken', () => {
    assert.equal(snapshotReason('snapshot', false), 'person');
    assert.equal(snapshotReason('restore', true), 'restore');
    assert.equal(snapshotReason('Bash', true), 'restore');
    assert.equal(snapshotReason('check', false), 'check');
    assert.equal(snapshotReason('start', false), 'check');
    assert.equal(snapshotReason('Bash', false), 'command');
  });

  it('has a name on one line, without secrets', () => {
    const given = { tool: 'Bash', args: 'make\nrm -rf x' };
    assert.equal(snapshotLabel('command', given), 'Bash: make');
    assert.equal(snapshotLabel('command', { tool: 'Bash', args: '' }), 'Bash');
    assert.equal(snapshotLabel('person', { ...given, label: ' mine\nmore' }), 'mine');
    assert.equal(snapshotLabel('person', given), 'Snapshot');
    assert.equal(snapshotLabel('restore', { ...given, label: 'x' }), 'Before a restore');
    assert.equal(snapshotLabel('check', given), 'As found');
    const secret = `echo ghp_${'a'.repeat(30)}`;
    assert.equal(snapshotLabel('command', { tool: 'Bash', args: secret }), 'Bash: echo •••');
  });
});
