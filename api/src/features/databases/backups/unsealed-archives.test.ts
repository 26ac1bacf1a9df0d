import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withDatabaseName } from '../../../db/connections/connection-string.ts';
import { useTestApp } from '../../../testing/app.ts';
import { flipped, useArchives } from '../../../testing/archives.ts';
import { dumpToPipe, lastChunkOf } from '../../../testing/hostile-archives.ts';
import { IS_LONG_RUN } from '../../../testing/long-run.ts';
import type { TableState } from '../../../testing/tenant-state.ts';
import { getDatabaseByName } from '../databases.service.ts';
import { readTableOfContents } from './archive/archive-format.ts';
import { withArchive } from './archive/archive-reader.ts';

const test = useTestApp();
const archives = useArchives(test);
const { upload, restore, dump, stateOf, everything } = archives;

/** How many bytes are flipped, one in each archive. */
const FLIPS = IS_LONG_RUN ? 200 : 8;

const digestOf = (archive: Buffer) => createHash('sha256').update(archive).digest('hex');

describe('an archive without a seal', () => {
  it('whose rows have no checksums is refused without a SHA-256 [§2.13]', async () => {
    const bare = await dump(['-Z0']);
    const before = await everything();
    const message =
      'The rows of this archive are not compressed, so nothing in it tells whether it is damaged: send its SHA-256 along.';
    expect(await upload(bare)).toMatchObject({ status: 400, message, errors: { sha256: [message] } });
    const digest = digestOf(bare);
    const damaged = flipped(bare, bare.indexOf('COPY public.locations'));
    expect(await upload(damaged, { sha256: digest })).toMatchObject({
      status: 400,
      title: 'Damaged archive',
      errors: { sha256: [expect.stringContaining(`${digestOf(damaged)} instead of ${digest}`)] },
    });
    expect(await upload(Buffer.alloc(0), { sha256: digest.slice(1) })).toMatchObject({
      status: 400,
      errors: { sha256: ['SHA-256 should be 64 hexadecimal digits'] },
    });
    expect(await everything()).toEqual(before);
    const { message: kept, result } = await upload(bare, { sha256: digest.toUpperCase() });
    expect(kept).toBe('Success! The archive has been checked and kept.');
    expect(await restore(result.id, 'BARE')).toMatchObject({ status: 200, result: { rows: archives.rows } });
    expect(await stateOf('BARE')).toEqual(await stateOf('SOURCE'));
  });

  it('is read without positions, which pg_dump cannot note in a pipe [§2.13]', async () => {
    const { physicalName } = await getDatabaseByName(test.context, 'SOURCE');
    const piped = await dumpToPipe(withDatabaseName(test.databaseUrl, physicalName));
    const { result } = await upload(piped);
    expect(await restore(result.id, 'PIPED')).toMatchObject({ status: 200, result: { rows: archives.rows } });
  });

  it('is refused or restored to the same rows, whatever byte of its table of contents was flipped [§2.13]', async () => {
    const original = await stateOf('SOURCE');
    const archive = await dump();
    const path = join(archives.folder, 'dump');
    const end = await withArchive(path, archive.length, async (reader) => {
      await readTableOfContents(reader);
      return reader.position();
    });
    // Most bytes do not matter for the rows, so half of the flipped ones are in entries with rows.
    const entries = [...archive.toString('latin1', 0, end).matchAll(/TABLE DATA|SEQUENCE SET/g)].map(
      ({ index }) => index,
    );
    let seed = 7;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    for (let round = 0; round < FLIPS; round += 1) {
      const at = round % 2 ? random(end) : (entries[random(entries.length)] ?? 0) - 60 + random(400);
      const { status, result } = await upload(flipped(archive, at));
      if (status !== 200) continue;
      const restored = await restore(result.id, `FLIPPED ${round}`);
      if (restored.status === 200) {
        const state = await stateOf(`FLIPPED ${round}`);
        expect(rowsOnly(state), `byte ${at}`).toEqual(rowsOnly(original));
      } else expect(restored, `byte ${at}`).toMatchObject({ status: 400, title: 'Damaged archive' });
    }
    expect(test.background).toEqual([]);
  });

  it('is refused when an entry denies its rows: pg_restore would restore an empty table [§2.13]', async () => {
    const archive = await dump();
    const before = await everything();
    const entry = archive.indexOf('TABLE DATA', archive.indexOf('COPY public.locations') - 200);
    // Before the kind are: number and sign of 'has rows', object ids, name.
    const text = archive.toString('latin1', entry - 80, entry);
    const hasRows = entry - 80 + text.lastIndexOf('\0\x01\0\0\0\0', text.search(/\d\d\d\d\d/)) + 1;
    const denied = Buffer.from(archive);
    denied[hasRows] = 0;
    expect(await upload(denied)).toMatchObject({
      status: 400,
      message: expect.stringMatching(/the rows of locations are not where they should be/),
    });
    expect(await everything()).toEqual(before);
  });

  it('is refused when a block has bytes after its end, which pg_restore would read for ever [§2.13]', async () => {
    const archive = await dump();
    const before = await everything();
    // The last block. An empty chunk, of five zero bytes, follows its last one.
    const chunk = lastChunkOf(archive);
    const longer = Buffer.from(archive);
    longer.writeUInt32LE(longer.readUInt32LE(chunk + 1) + 2, chunk + 1);
    expect(await upload(Buffer.concat([longer, Buffer.alloc(2)]))).toMatchObject({
      status: 400,
      message: expect.stringMatching(/the rows of \w+ are damaged/),
    });
    expect(await everything()).toEqual(before);
  });
});

const rowsOnly = (state: TableState[]) => state.map(({ name, rows: count, checksum }) => ({ name, count, checksum }));
