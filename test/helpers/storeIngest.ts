/** A process that takes in what is in the spool: `node storeIngest.ts HOME`. Prints how many events were new to it. */
import { openTimelineApp } from '../../src/app/openTimelineApp.ts';

const app = openTimelineApp({ home: process.argv[2] ?? '', now: Date.now, log: () => undefined });
let total = 0;
// A busy database is no failure: what is there stays there.
for (let n = 0; n < 5; n++) total += app.ingest();
console.log(total);
app.dispose();
