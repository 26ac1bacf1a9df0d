import { z } from 'zod';
import { requiredName, requiredText } from './text.ts';

export const DATABASE_NAME_MAX = 256;

/** Names that nobody may give a database, because administrators know them as PostgreSQL's or the platform's own. */
export const RESERVED_DATABASE_NAMES = ['POSTGRES', 'TEMPLATE0', 'TEMPLATE1', 'APOTHECA'];

/**
 * The name of a database as people see it: 1 to 256 printable characters, in upper case. It is never a PostgreSQL
 * identifier (DECISIONS §6).
 */
export const databaseName = (required: string) => requiredName(DATABASE_NAME_MAX, 'Database Name', required);

/**
 * The name of a database that exists, as people see it.
 * @param field its name in the call, for the messages
 */
export const existingDatabaseName = (field: string) =>
  requiredText(DATABASE_NAME_MAX, `${field} is required`, `${field} should not be more than 256 characters`);

/** The query of a call about one database. */
export const byDatabaseName = z.object({ databaseName: existingDatabaseName('databaseName') });
