import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { backupRoutes } from '@apotheca/contract/backups';
import { BASE_PATHS } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { afterAll, beforeAll } from 'vitest';
import { withDatabaseName } from '../db/connections/connection-string.ts';
import { insertSampleRows } from '../demo/sample-rows.ts';
import { verifySeal } from '../features/databases/backups/archive/archive-seal.ts';
import { archivePath } from '../features/databases/backups/archive/archive-store.ts';
import { connectionStringOf, getDatabaseByName } from '../features/databases/databases.service.ts';
import type { Answer, TestApp } from './app.ts';
import { tenantInput } from './builders.ts';
import { withClient } from './databases.ts';
import { stateOfTables } from './tenant-state.ts';

const run = promisify(execFile);
const BYTES = 'application/octet-stream';

/** The call that uploads an archive, of a database ELSEWHERE. */
export const UPLOAD_URL = `${BASE_PATHS.api}${backupRoutes.upload.path}?databaseName=ELSEWHERE`;

/** A copy with one flipped bit. */
export function flipped(archive: Buffer, at: number): Buffer {
  const copy = Buffer.from(archive);
  copy[at] = (copy[at] ?? 0) ^ 0x10;
  return copy;
}

/**
 * Archives of a filled tenant, SOURCE, for the tests of a file.
 * @returns `sealed`, the tenant's backup; `plain`, the same archive as pg_dump writes it; the number of its `rows`; a `folder` for
 * further files
 */
export function useArchives(test: TestApp) {
  const archives = { authorization: '', folder: '', sealed: Buffer.alloc(0), plain: Buffer.alloc(0), rows: 0 };

  beforeAll(async () => {
    archives.authorization = `Bearer ${(await test.signIn()).result.accessToken}`;
    archives.folder = await mkdtemp(join(tmpdir(), 'apotheca-archives-'));
    await test.call(tenantRoutes.create, { body: tenantInput('SOURCE') });
    const url = await connectionStringOf(test.context, await getDatabaseByName(test.context, 'SOURCE'));
    archives.rows = await withClient(url, (client) => insertSampleRows(client, { patients: 3, seed: 2 }));
    const { result } = await test.call(backupRoutes.create, { query: { databaseName: 'SOURCE' } });
    const path = archivePath(test.context, result.id);
    archives.sealed = await readFile(path);
    archives.plain = archives.sealed.subarray(0, (await verifySeal(path)).archiveBytes);
  });
  afterAll(() => rm(archives.folder, { recursive: true, force: true }));

  return Object.assign(archives, {
    async upload(payload: Buffer | string, { type = BYTES, sha256 = '' } = {}): Promise<Omit<Answer, 'headers'>> {
      const headers = { authorization: archives.authorization, 'content-type': type };
      const url = sha256 === '' ? UPLOAD_URL : `${UPLOAD_URL}&sha256=${sha256}`;
      return (await test.app.inject({ method: 'POST', url, headers, payload })).json();
    },
    restore: (id: string, databaseName: string) => test.call(backupRoutes.restore, { query: { id, databaseName } }),
    /** Runs pg_dump on a database, by default on SOURCE. */
    async dump(args: readonly string[] = [], url?: string): Promise<Buffer> {
      const { physicalName } = await getDatabaseByName(test.context, 'SOURCE');
      const path = join(archives.folder, 'dump');
      const { pgDump } = await test.context.findTools();
      const database = url ?? withDatabaseName(test.databaseUrl, physicalName);
      await run(pgDump, ['-Fc', ...args, `--file=${path}`, `--dbname=${database}`]);
      return readFile(path);
    },
    /** The rows of a database's tables. */
    async stateOf(name: string) {
      return test.context.tenants.with(await getDatabaseByName(test.context, name), stateOfTables);
    },
    /** The state of everything that a refusal must not change. */
    everything: () => everything(test),
  });
}

async function everything(test: TestApp) {
  const { rows: cluster } = await test.context.pool.query<{ name: string }>(
    `
    select (datname || ' ' || datallowconn) collate "C" as name from pg_database where shobj_description(oid, 'pg_database') like $1
    union all select (rolname || ' ' || rolcanlogin || ' ' || rolsuper) collate "C" from pg_roles where shobj_description(oid, 'pg_authid') like $1
    union all select (name || ' ' || state) collate "C" from databases
    union all select (id || ' ' || state || ' ' || sha256) collate "C" from backups
    order by 1`,
    [`%${new URL(test.databaseUrl).pathname.slice(1)}%`],
  );
  return { cluster, files: (await readdir(test.context.backupDir)).sort() };
}
