import { ensureNewestPostgresClient } from '../../../scripts/postgres.mjs';
import { findPostgresTools, type PostgresTools } from '../db/client-programs/postgres-tools.ts';
import type { PostgresPrograms } from '../db/embedded/embedded-postgres.ts';

/** The version of the embedded PostgreSQL. */
const PRODUCT = 15;

/** Major version of the PostgreSQL that the tests run on, by APOTHECA_TEST_POSTGRESQL: from 15 to 18. */
const TEST_POSTGRESQL = Number(process.env.APOTHECA_TEST_POSTGRESQL || PRODUCT);

/** The programs of a version; undefined: those of the product. They are there for Linux on x64 only. */
export function testPrograms(version = TEST_POSTGRESQL): Promise<PostgresPrograms | undefined> {
  if (version === PRODUCT) return Promise.resolve(undefined);
  return import(`embedded-postgres-${version}`);
}

/** Folder of the newest pg_dump and pg_restore, where the tests run on another version than the product's. */
const NEWEST = TEST_POSTGRESQL === PRODUCT ? undefined : ensureNewestPostgresClient();

/** pg_dump and pg_restore for a server of a version. */
export const testTools = (version = TEST_POSTGRESQL): Promise<PostgresTools> => findPostgresTools(NEWEST, version);
