/** Holds the database for itself until its input ends: `node storeLocker.ts FILE`. Prints `held` when it has it. */
import { DatabaseSync } from 'node:sqlite';

const database = new DatabaseSync(process.argv[2] ?? '');
database.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; BEGIN EXCLUSIVE');
console.log('held');
process.stdin.resume().on('end', () => {
  database.exec('COMMIT');
  database.close();
});
