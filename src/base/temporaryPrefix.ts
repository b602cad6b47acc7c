/** What the names of our temporaries begin with; `doctor` sweeps stale ones. */
export const temporaryPrefix = '.memcode-tmp-';
