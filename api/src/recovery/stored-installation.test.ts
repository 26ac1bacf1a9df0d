import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readStorePlaces } from '../backup-stores.ts';
import { objectName } from '../features/databases/backups/installation/installation-manifest.ts';
import { findInstallation } from './stored-installation.ts';

const DAY = 86_400_000;
let disk = '';
beforeAll(async () => {
  disk = await mkdtemp(join(tmpdir(), 'apotheca-installations-'));
});
afterAll(() => rm(disk, { recursive: true }));

/** A backup as made when the clock was some days from now. @returns its name */
async function store(days: number): Promise<string> {
  const name = objectName(new Date(Date.now() + days * DAY), 'the secret');
  await writeFile(join(disk, name), '');
  return name;
}

const find = async (wanted?: string) => {
  const stores = { places: readStorePlaces(`file:${disk}`), recipients: [] };
  return (await findInstallation(stores, wanted, new AbortController().signal)).name;
};

it('the newest backup of an installation is none that was made while the clock was ahead, unless there is no other [DECISIONS §13]', async () => {
  const ahead = await store(30);
  expect(await find()).toBe(ahead);
  await store(-2);
  const newest = await store(-1);
  expect(await find()).toBe(newest);
  expect(await find(ahead)).toBe(ahead);
});
