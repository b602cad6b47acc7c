/** Who may talk to a helper, who takes whose place, and where it listens. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { connectHelper, HelperConnection, HelperGone } from '../../src/app/helper/connectHelper.ts';
import { freshAddress } from '../../src/app/helper/helperAddress.ts';
import { publishRecord, readRecord, recordFile } from '../../src/app/helper/helperRecord.ts';
import { IdleChores } from '../../src/app/helper/idleChores.ts';
import { isNewer } from '../../src/app/helper/newerVersion.ts';
import { HelperWorld, until, version } from '../helpers/helperWorld.ts';

async function connect(w: HelperWorld, theirs = version): Promise<HelperConnection> {
  const connection = await connectHelper({ ...w.place, version: theirs });
  assert.ok(connection instanceof HelperConnection);
  return connection;
}

describe('a helper', () => {
  it('answers who knows the token, and nobody else', async () => {
    await using w = new HelperWorld();
    const server = await w.serve();
    const { address = '', token = '' } = server?.record ?? {};
    const connection = await connect(w);
    assert.deepEqual(await connection.request('echo', [1, 'a\n\ud800', null]), [
      1,
      'a\n\ud800',
      null,
    ]);
    await assert.rejects(connection.request('none', []), /knows no none/);
    connection.close();
    const request = '{"id":1,"op":"echo","args":[]}\n';
    assert.equal(await w.say(address, request), '');
    assert.equal(await w.say(address, `{"hello":"${'0'.repeat(token.length)}"}\n`, request), '');
    assert.equal(await w.say(address, 'hook\tnone\tclaude\tpre\t/\n{}'), '');
    assert.equal(await w.say(address, 'no json\n'), '');
    assert.equal(await w.say(address, '{no json\n'), '');
  });

  it('lets only its user near', async () => {
    await using w = new HelperWorld();
    const server = await w.serve();
    const address = server?.record.address ?? '';
    const modeOf = (file: string) => fs.statSync(file).mode & 0o777;
    assert.equal(modeOf(address), 0o600);
    assert.equal(modeOf(path.dirname(address)), 0o700);
    assert.equal(modeOf(recordFile(w.home, w.place.root)), 0o600);
    assert.equal(modeOf(path.dirname(recordFile(w.home, w.place.root))), 0o700);
  });

  it('answers in any order, and says how far it is', async () => {
    await using w = new HelperWorld();
    let release: () => void = () => undefined;
    await w.serve({
      operations: {
        slow: (_, { onProgress }) =>
          new Promise((resolve) => {
            onProgress(1, 2);
            release = () => resolve('slow');
          }),
        quick: async () => 'quick',
      },
    });
    const connection = await connect(w);
    let seen = '';
    const onProgress = (done: number, total: number) => {
      seen = `${done}/${total}`;
    };
    const slow = connection.request('slow', [], { onProgress });
    assert.equal(await connection.request('quick', []), 'quick');
    assert.equal(seen, '1/2');
    release();
    assert.equal(await slow, 'slow');
    connection.close();
    await assert.rejects(connection.request('quick', []), HelperGone);
  });

  it('hears when a request is cancelled or its client is gone', async () => {
    await using w = new HelperWorld();
    const reasons: string[] = [];
    await w.serve({
      operations: {
        wait: (_, { signal }) =>
          new Promise((__, reject) => {
            signal.addEventListener('abort', () => {
              reasons.push(String(signal.reason));
              reject(signal.reason);
            });
          }),
      },
    });
    const connection = await connect(w);
    const stop = new AbortController();
    const mine = new Error('mine');
    const running = connection.request('wait', [], { signal: stop.signal });
    stop.abort(mine);
    await assert.rejects(running, mine);
    const lost = connection.request('wait', []);
    connection.close();
    await assert.rejects(lost, HelperGone);
    await until(() => reasons.length === 2);
  });

  it('has its place alone', async () => {
    await using w = new HelperWorld();
    const servers = await Promise.all(Array.from({ length: 5 }, () => w.serve()));
    assert.equal(servers.filter(Boolean).length, 1);
    assert.equal(w.record?.token, servers.find(Boolean)?.record.token);
    assert.equal(fs.readdirSync(path.join(w.home, 'run')).length, 1);
  });

  it('of an older version makes way once it is done', async () => {
    await using w = new HelperWorld();
    let release: () => void = () => undefined;
    const old = await w.serve({
      version: '0.0.9',
      operations: {
        slow: () =>
          new Promise((resolve) => {
            release = () => resolve('done');
          }),
      },
    });
    const before = await connect(w, '0.0.9');
    const running = before.request('slow', []);
    const newcomer = connectHelper({ ...w.place, version, wait: 20_000 });
    await until(() => w.log.some((line) => line.includes('takes its place')));
    release();
    assert.equal(await running, 'done');
    assert.equal(await newcomer, 'none');
    await old?.ended;
    assert.equal(w.record, undefined);
    assert.ok(await w.serve());
  });

  it('of a newer version serves older clients; one of another protocol is left alone', async () => {
    await using w = new HelperWorld();
    const server = await w.serve({ version: '9.0.0' });
    const connection = await connect(w);
    assert.deepEqual(await connection.request('echo', []), []);
    connection.close();
    await server?.leave('the test says so');
    const record = { ...server!.record, protocol: 99 };
    assert.ok(publishRecord(w.home, record, undefined));
    assert.equal(await connectHelper({ ...w.place, version }), 'tooNew');
    assert.equal(await w.serve(), undefined);
  });

  it('takes the place of one that was killed, and its socket goes', async () => {
    await using w = new HelperWorld();
    fs.mkdirSync(path.join(w.home, 'run'), { recursive: true });
    const address = path.join(w.home, 'run', 'dead.sock');
    fs.writeFileSync(address, '');
    const dead = { pid: 1, root: w.root, address, token: 'x', version, protocol: 1 };
    assert.ok(publishRecord(w.home, dead, undefined));
    assert.equal(publishRecord(w.home, { ...dead, token: 'y' }, undefined), false);
    const server = await w.serve();
    assert.equal(w.record?.token, server?.record.token);
    assert.equal(fs.existsSync(address), false);
  });

  it('does not mind a record that is none', async () => {
    await using w = new HelperWorld();
    const file = recordFile(w.home, w.place.root);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    for (const text of ['', '{', 'null', '{"pid":1}']) {
      fs.writeFileSync(file, text);
      assert.equal(readRecord(w.home, w.place.root), undefined);
      assert.equal(await connectHelper({ ...w.place, version }), 'none');
    }
    assert.ok(await w.serve());
  });

  it('answers a hook that speaks by way of the shell', async () => {
    await using w = new HelperWorld();
    const server = await w.serve({ onText: async (request) => JSON.stringify(request) });
    const { address = '', token = '' } = server?.record ?? {};
    const payload = '{\n "prompt": "ä}",\n "x": {}\n}';
    const answer = await w.say(address, `hook\t${token}\tclaude\tPreToolUse\t${w.root}\n`, payload);
    assert.match(answer, /^ok\n/);
    assert.deepEqual(JSON.parse(answer.slice(3)), {
      agent: 'claude',
      event: 'PreToolUse',
      cwd: w.root,
      sign: '',
      payload,
    });
  });
});

describe('an address', () => {
  const platform = 'linux';

  it('is short enough for a socket, wherever the home store lies', async () => {
    await using w = new HelperWorld();
    const home = path.join(w.folder, 'deep'.repeat(30));
    const address = freshAddress({ home, temporaryFolder: w.folder, platform });
    assert.ok(Buffer.byteLength(address) <= 100);
    assert.equal(fs.statSync(path.dirname(address)).mode & 0o777, 0o700);
  });

  it('is not taken in a folder that others made', async () => {
    await using w = new HelperWorld();
    const home = path.join(w.folder, 'deep'.repeat(30));
    const elsewhere = path.join(w.folder, 'elsewhere');
    fs.mkdirSync(elsewhere);
    const name = `memcode-timeline-${process.getuid?.() ?? 0}`;
    fs.symlinkSync(elsewhere, path.join(w.folder, name));
    assert.throws(() => freshAddress({ home, temporaryFolder: w.folder, platform }));
    assert.deepEqual(fs.readdirSync(elsewhere), []);
  });

  it('is a pipe of an unguessable name on Windows', () => {
    const names = [1, 2].map(() =>
      freshAddress({ home: 'C:\\x', temporaryFolder: 'C:\\t', platform: 'win32' }),
    );
    for (const name of names) assert.match(name, /^\\\\\.\\pipe\\memcode-timeline-[0-9a-f]{32}$/);
    assert.notEqual(names[0], names[1]);
  });
});

describe('chores', () => {
  it('wait for a quiet moment, one after the other, and stop with the helper', async () => {
    const done: string[] = [];
    const chore = (name: string, every: number) => ({
      every,
      run: async () => {
        done.push(name);
      },
    });
    const failures: unknown[] = [];
    const failing = { every: 0, run: () => Promise.reject(new Error('chore')) };
    const chores = new IdleChores([chore('a', 0), failing, chore('b', 3_600_000)], 1, (error) =>
      failures.push(error),
    );
    chores.poke();
    chores.poke();
    await until(() => done.length === 2);
    chores.poke();
    await until(() => done.length === 3 && failures.length === 2);
    assert.deepEqual(done, ['a', 'b', 'a']);
    await chores.stop();
    chores.poke();
  });
});

describe('versions', () => {
  it('compare by number', () => {
    assert.equal(isNewer('0.10.0', '0.9.9'), true);
    assert.equal(isNewer('1.0.0', '1.0.0'), false);
    assert.equal(isNewer('1.0.0', '1.0.1-beta'), false);
    assert.equal(isNewer('nonsense', '0.0.1'), false);
    assert.equal(isNewer('0.0.1', 'nonsense'), true);
  });
});
