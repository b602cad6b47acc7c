/** Entry point of a worker thread: answers one request after the other. A bundle of its own. */
import { parentPort } from 'node:worker_threads';
import type { RuleSet } from '../git/ignoreRules.ts';
import { CaptureRules } from './captureRules.ts';
import { buffersOf, encodeListing } from './listingCodec.ts';
import { listTree } from './listTree.ts';
import { packBlobs } from './packBlobs.ts';
import { scanFolders } from './scanFolders.ts';
import type { Reply, Request, ToldFolder } from './workerMessages.ts';

const folders: (ToldFolder['content'] | undefined)[] = [];

parentPort?.on('message', (request: Request) => {
  const reply = answer(request);
  parentPort?.postMessage(reply, reply.op === 'list' ? buffersOf(reply.listing) : []);
});

function answer(request: Request): Reply {
  try {
    switch (request.op) {
      case 'ping':
        return { op: 'ping' };
      case 'scan':
        for (const { index, content } of request.told) folders[index] = content;
        return {
          op: 'scan',
          ...scanFolders(request.root, request.columns, folders, request.next, request.folderCount),
        };
      case 'list': {
        const rules = new CaptureRules(request.rules);
        return {
          op: 'list',
          listing: encodeListing(
            request.tasks.flatMap((task) =>
              listTree(rules, { ...task, above: rulesAbove(rules, task.path) }, () => true),
            ),
          ),
        };
      }
      case 'pack':
        return { op: 'pack', ...packBlobs(request) };
    }
  } catch (error) {
    return { op: 'failed', message: error instanceof Error ? String(error.stack) : String(error) };
  }
}

/** Rules of the folders on the way to `path`, its own not included. */
function rulesAbove(rules: CaptureRules, path: string): readonly RuleSet[] {
  const segments = path.split('/').slice(0, -1);
  let chain = rules.chainIn([rules.base], '');
  segments.forEach((_, i) => {
    chain = rules.chainIn(chain, segments.slice(0, i + 1).join('/'));
  });
  return chain;
}
