/** A reader that knows memcode's checkpoint format and nothing of ours. */
import fs from 'node:fs';
import path from 'node:path';

export interface MemcodeCheckpoint {
  readonly seq: number;
  readonly label: string;
  readonly at: string;
  readonly files: readonly {
    readonly path: string;
    readonly existed: boolean;
    readonly blob: Buffer | undefined;
  }[];
}

/** Every sub-folder whose manifest parses and has a row, by ascending number. */
export function readManifestOnly(session: string): readonly MemcodeCheckpoint[] {
  const found: MemcodeCheckpoint[] = [];
  for (const entry of fs.readdirSync(session, { withFileTypes: true })) {
    const manifest = path.join(session, entry.name, 'manifest.json');
    if (!entry.isDirectory() || !fs.existsSync(manifest)) continue;
    const { seq, label, at, files } = JSON.parse(fs.readFileSync(manifest, 'utf8'));
    if (!files?.length) continue;
    const withBytes = files.map((row: { path: string; existed: boolean }) => {
      const blob = path.join(session, String(seq), 'files', row.path);
      return {
        path: row.path,
        existed: row.existed,
        blob: row.existed && fs.existsSync(blob) ? fs.readFileSync(blob) : undefined,
      };
    });
    found.push({ seq, label, at, files: withBytes });
  }
  return found.sort((a, b) => a.seq - b.seq);
}
