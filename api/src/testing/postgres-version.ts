import { fileURLToPath } from 'node:url';
import { ensureNewestPostgresClient } from '../../../scripts/postgres.mjs';
import { findPostgresTools, type PostgresTools } from '../db/client-programs/postgres-tools.ts';
import type { PostgresPrograms } from '../db/embedded/embedded-postgres.ts';

/** The version of the embedded PostgreSQL. */
export const EMBEDDED_VERSION = 15;

/** Major version of the PostgreSQL that the tests run on, by APOTHECA_TEST_POSTGRESQL: from 15 to 18. */
const TEST_POSTGRESQL = Number(process.env.APOTHECA_TEST_POSTGRESQL || EMBEDDED_VERSION);

/** The programs of a version; undefined: those of the product. They are there for Linux on x64 only. */
export async function testPrograms(version = TEST_POSTGRESQL): Promise<PostgresPrograms | undefined> {
  if (version === EMBEDDED_VERSION) return undefined;
  const programs: PostgresPrograms = await import(`embedded-postgres-${version}`);
  return version < EMBEDDED_VERSION ? { ...programs, initdb: INITDB_OF_14 } : programs;
}

/** Leaves out what that version does not know. */
const INITDB_OF_14 = fileURLToPath(new URL('initdb-14.sh', import.meta.url));

/** Puts the newest pg_dump and pg_restore first, for tests and the servers that they start, where the tests run on another version. */
export function preferNewestTools(): void {
  if (TEST_POSTGRESQL !== EMBEDDED_VERSION) process.env.PATH = `${ensureNewestPostgresClient()}:${process.env.PATH}`;
}

/** pg_dump and pg_restore for a server of a version. */
export const testTools = (version = TEST_POSTGRESQL): Promise<PostgresTools> => findPostgresTools(undefined, version);
