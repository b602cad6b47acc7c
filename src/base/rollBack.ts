/** Ends a transaction that has failed, so that what went wrong is what the caller hears of. */
export function rollBack(database: { exec(sql: string): void }): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // SQLite has ended it by itself, as it does on a full disk.
  }
}
