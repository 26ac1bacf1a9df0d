import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash } from '@node-rs/argon2';
import type { TestProject } from 'vitest/node';
import { ensureServerBuilt } from '../../../scripts/setup.mjs';
import { startEmbeddedPostgres } from '../db/embedded/embedded-postgres.ts';
import { ensureDatabase, ensureTenantTemplate } from '../db/migrate.ts';
import { migrateQueue } from '../db/operation-queue.ts';
import { openPlatform } from '../db/platform.ts';
import { migratePlatform } from '../db/platform-migrations.ts';
import { seedPlatform } from '../seed.ts';
import { ADMINISTRATOR } from './administrator.ts';
import { preferNewestTools, testPrograms } from './postgres-version.ts';

/** Builds the server, and starts one temporary PostgreSQL for a run of the tests, with a migrated and seeded control database that every test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  ensureServerBuilt();
  preferNewestTools();
  const folder = await mkdtemp(join(tmpdir(), 'apotheca-test-'));
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'postgres'),
    password: 'test',
    programs: await testPrograms(),
    // The cluster is deleted after the run.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' },
    // Tests read the whole log.
    largestLog: Number.POSITIVE_INFINITY,
  });
  await ensureDatabase(postgres.url);
  await migratePlatform(postgres.url);
  await migrateQueue(postgres.url);
  const tenantTemplate = await ensureTenantTemplate(postgres.url);
  const { platform } = openPlatform({ url: postgres.url, maxConnections: 1 });
  await seedPlatform(platform, { ...ADMINISTRATOR, password: () => ADMINISTRATOR.password });
  // Checked in a moment: the tests sign in again and again.
  const passwordHash = await hash(ADMINISTRATOR.password, { memoryCost: 8, timeCost: 1 });
  await platform.updateTable('users').set({ passwordHash }).execute();
  await platform.destroy();
  project.provide('postgresUrl', postgres.url);
  project.provide('tenantTemplate', tenantTemplate);
  project.provide('postgresLog', join(folder, 'postgres', 'server.log'));
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser's connection string of the seeded control database that test files copy. */
    postgresUrl: string;
    tenantTemplate: string;
    /** File that the server logs to. */
    postgresLog: string;
  }
}
