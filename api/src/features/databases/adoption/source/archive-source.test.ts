import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../../testing/app.ts';
import { useArchives } from '../../../../testing/archives.ts';
import { countArchived, inspectArchive, readArchiveRows } from './archive-source.ts';

const test = useTestApp();
const archives = useArchives(test);
const MINUTE = 60_000;

describe('an archive of another system', () => {
  it.each([
    ['compressed', []],
    ['not compressed', ['-Z0']],
  ])('is counted and read no further once the operation is cancelled: %s [§2.13]', async (_how, args) => {
    const archive = await archives.dump(args);
    const file = { path: join(archives.folder, 'dump'), archiveBytes: archive.length };
    const { tables } = await inspectArchive(file, MINUTE);
    const cancelling = new AbortController();
    const counting = countArchived(file, cancelling.signal)(tables, MINUTE);
    cancelling.abort(new Error('cancelled'));
    await expect(counting).rejects.toThrow('cancelled');
    const [table] = tables;
    if (!table) throw new Error('There are tables.');
    await expect(readArchiveRows(file, cancelling.signal)(table, async () => {})).rejects.toThrow('cancelled');
    expect((await countArchived(file, new AbortController().signal)(tables, MINUTE)).size).toBe(tables.length);
  });
});
