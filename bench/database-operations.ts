import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { backupProofRoutes } from '@apotheca/contract/backup-proofs';
import { backupRoutes } from '@apotheca/contract/backups';
import { databaseRoutes } from '@apotheca/contract/databases';
import { addressOf } from '../api/src/db/client-programs/client-program.ts';
import { findPostgresTools, type PostgresTools } from '../api/src/db/client-programs/postgres-tools.ts';
import { withoutInstallation } from '../api/src/settings.ts';
import { call, perform } from './calls.ts';
import { type FilledTenant, LARGE, type Stage, withFilledTenant } from './filled-tenants.ts';
import type { Installation } from './installation.ts';
import { takeTurns, time } from './measurements.ts';
import { compare, type Table } from './tables.ts';

const run = promisify(execFile);
const ROUNDS = 5;
/** Major version of the embedded PostgreSQL. */
const MAJOR = 15;
/** The database that a bare command makes. */
export const FLOOR = 'bench_floor';

/** A clone through the API beside CREATE DATABASE … TEMPLATE. */
export function benchClone(installation: Installation): Promise<Table[]> {
  return measure(installation, 'clone beside CREATE DATABASE … TEMPLATE', (stage, tenant) => ({
    ours: async () => {
      const databaseName = newName();
      const query = { copyFrom: tenant.name, databaseName };
      const figure = await effortOf(stage, () => perform(stage.access, databaseRoutes.copy, { query }));
      await deleteDatabase(stage, databaseName);
      return figure;
    },
    floor: async () => {
      const figure = await effortOf(stage, () =>
        stage.admin.query(`create database ${FLOOR} template "${tenant.physicalName}"`),
      );
      await stage.admin.query(`drop database ${FLOOR}`);
      return figure;
    },
  }));
}

/** A backup through the API beside pg_dump. */
export function benchBackup(installation: Installation): Promise<Table[]> {
  return measure(installation, 'backup beside pg_dump -Fc -Z1', (stage, tenant, { pgDump }) => ({
    ours: async () => {
      let id = '';
      const figure = await effortOf(stage, async () => {
        id = await backUp(stage, tenant);
      });
      await call(stage.access, backupRoutes.delete, { query: { id } });
      return figure;
    },
    floor: async () => {
      const { address, environment } = addressOf(stage.urlOf(tenant.physicalName));
      const file = join(stage.folder, 'floor.dump');
      const figure = await effortOf(stage, () =>
        runBare(pgDump, ['-Fc', '-Z1', '-f', file, '-d', address], environment),
      );
      await rm(file);
      return figure;
    },
  }));
}

/** A restore into a new database through the API beside pg_restore of the same archive. */
export function benchRestore(installation: Installation): Promise<Table[]> {
  return measure(installation, 'restore beside createdb and pg_restore -j2', async (stage, tenant, { pgRestore }) => {
    const id = await backUp(stage, tenant);
    const { address, environment } = addressOf(stage.urlOf(FLOOR));
    const archive = join(stage.folder, 'backups', `${id}.dump`);
    return {
      ours: async () => {
        const databaseName = newName();
        const query = { id, databaseName };
        const figure = await effortOf(stage, () => perform(stage.access, backupRoutes.restore, { query }));
        await deleteDatabase(stage, databaseName);
        return figure;
      },
      floor: async () => {
        const figure = await effortOf(stage, async () => {
          await stage.admin.query(`create database ${FLOOR} template template0`);
          await runBare(pgRestore, ['-j2', '-d', address, archive], environment);
        });
        await stage.admin.query(`drop database ${FLOOR}`);
        return figure;
      },
    };
  });
}

/** A proof of a backup through the API beside createdb, pg_restore of the same archive, and dropdb. */
export function benchProof(installation: Installation): Promise<Table[]> {
  const title = 'proof beside createdb, pg_restore -j2 and dropdb';
  return measure(
    installation,
    title,
    async (stage, tenant, { pgRestore }) => {
      const id = await backUp(stage, tenant);
      const { address, environment } = addressOf(stage.urlOf(FLOOR));
      const archive = join(stage.folder, 'backups', `${id}.dump`);
      return {
        ours: () => effortOf(stage, () => perform(stage.access, backupProofRoutes.prove, { query: { id } })),
        floor: () =>
          effortOf(stage, async () => {
            await stage.admin.query(`create database ${FLOOR} template template0`);
            await runBare(pgRestore, ['-j2', '-d', address, archive], environment);
            await stage.admin.query(`drop database ${FLOOR}`);
          }),
      };
    },
    1.3,
  );
}

/** Runs a client program as anybody would, with the rights of this process. */
const runBare = (program: string, args: string[], environment: Record<string, string>) =>
  run(program, args, { env: { ...withoutInstallation(process.env), ...environment } });

type Ways = Record<'ours' | 'floor', () => Promise<Effort>>;

/** Takes turns on the tenant of 200 MB. A call is measured from sending it to its answer, or to the end of its operation. */
function measure(
  installation: Installation,
  title: string,
  waysOf: (stage: Stage, tenant: FilledTenant, tools: PostgresTools) => Ways | Promise<Ways>,
  atMost = 1.2,
): Promise<Table[]> {
  return withFilledTenant(installation, LARGE, async (stage, tenant) => {
    const tools = await findPostgresTools(process.env.PG_BIN_DIR, MAJOR);
    const { ours, floor } = await takeTurns(ROUNDS, await waysOf(stage, tenant, tools));
    const row = (name: string, figure: keyof Effort) => ({
      name,
      unit: ' ms',
      target: { atMost },
      ours: ours.map((effort) => effort[figure]),
      floor: floor.map((effort) => effort[figure]),
    });
    return [compare('A database of 200 MB', [row(title, 'time'), row('its processor time', 'cpu')])];
  });
}

async function backUp(stage: Stage, { name: databaseName }: FilledTenant): Promise<string> {
  const { id } = await perform(stage.access, backupRoutes.create, { query: { databaseName } });
  return id;
}

/** In milliseconds. */
interface Effort {
  time: number;
  /** Processor time of all processes. */
  cpu: number;
}

/** What some work takes, with nothing left to write from what was done before. */
async function effortOf(stage: Stage, work: () => Promise<unknown>): Promise<Effort> {
  await stage.admin.query('checkpoint');
  const before = stage.cpu();
  return { time: await time(work), cpu: stage.cpu() - before };
}

/** Milliseconds that some work takes, likewise. */
export const timeSettled = async (stage: Stage, work: () => Promise<unknown>): Promise<number> =>
  (await effortOf(stage, work)).time;

/** Deletes a clone. */
export async function deleteDatabase({ access }: Stage, databaseName: string): Promise<void> {
  await perform(access, databaseRoutes.delete, { query: { databaseName } });
}

/** A name that no database has. */
export const newName = (): string => `B${randomBytes(6).toString('hex').toUpperCase()}`;
