import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';

/** Bytes of PostgreSQL's identifiers. */
const MAX_LENGTH = 63;
const IDENTIFIER = /^[a-z][a-z0-9_]{0,62}$/;

/**
 * The PostgreSQL identifier of a new database and of its login role, made once and then kept in the registry. The whole id comes
 * first, so two long names that begin alike differ within PostgreSQL's 63 bytes (DECISIONS §6).
 * @param id the database's UUID
 * @param name its name, of which a part is added for people who look at the cluster
 */
export function physicalName(id: string, name: string): string {
  return identifierOf('db', id, name);
}

/**
 * The role by which programs log in to a database.
 * @param id the login's UUID
 * @param name of the database, of which a part is added for people who look at the cluster
 */
export function loginName(id: string, name: string): string {
  return identifierOf('login', id, name);
}

/** The role whose members may only read a database. @param roleName the database's own role */
export function readerName(roleName: string): string {
  return assertIdentifier(`read_${roleName}`.slice(0, MAX_LENGTH).replace(/_+$/, ''));
}

/**
 * The account of PgBouncer. Several installations may share a server, so it is named after the control database, whose name is anybody's
 * choice: where that is too long or no plain identifier, its hash tells it from others that look alike.
 */
export function poolerName(database: string): string {
  const plain = `pgbouncer_${database}`;
  if (IDENTIFIER.test(plain)) return plain;
  return identifierOf('pgbouncer', createHash('sha256').update(database).digest('hex').slice(0, 12), database);
}

function identifierOf(prefix: string, id: string, name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return assertIdentifier(`${prefix}_${id.replaceAll('-', '')}_${slug}`.slice(0, MAX_LENGTH).replace(/_+$/, ''));
}

/**
 * Quotes an identifier of the platform's own for a statement that takes no parameters.
 * @throws if it is not plain lower-case ASCII of at most 63 bytes
 */
export function quoteIdentifier(name: string): string {
  return `"${assertIdentifier(name)}"`;
}

/** {@link quoteIdentifier}, as a part of a statement of Kysely's. */
export const identifier = (name: string): RawBuilder<unknown> => sql.raw(quoteIdentifier(name));

/** A text as a part of a statement of Kysely's that takes no parameters. */
export const literal = (text: string): RawBuilder<unknown> => sql.raw(pg.escapeLiteral(text));

/** Quotes an identifier of the catalogue, which an operator may have given, for a statement that takes no parameters. */
export const quoteAnyIdentifier = (name: string): string => pg.escapeIdentifier(name);

/** The name itself, for what takes no quotes. @throws Error when it is none that the platform makes */
export function assertIdentifier(name: string): string {
  if (!IDENTIFIER.test(name)) throw new Error(`Not an identifier of the platform: ${JSON.stringify(name)}`);
  return name;
}
