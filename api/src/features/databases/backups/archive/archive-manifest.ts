import { z } from 'zod';

const count = z.number().int().min(0);

/** The rows of one table in an archive. */
const tableChecksum = z.object({
  schema: z.string(),
  name: z.string(),
  rows: count,
  /** Independent of the rows' order: the sum of a hash of each row (checksums.repository.ts). Empty: not known. */
  checksum: z.string(),
});
export type TableChecksum = z.infer<typeof tableChecksum>;

/** What PUBLIC or the database's own role may do with an additional object. */
const privilege = z.object({
  kind: z.enum(['schema', 'table', 'sequence', 'routine']),
  schema: z.string(),
  /** Of a function without its arguments; empty for a schema. */
  name: z.string(),
  /** The types of a function's arguments, as pg_get_function_identity_arguments; else empty. */
  arguments: z.string(),
  grantee: z.enum(['public', 'tenant']),
  privileges: z.array(z.string()),
});
export type Privilege = z.infer<typeof privilege>;

const additionalObject = z.object({
  id: count,
  kind: z.string(),
  schema: z.string(),
  name: z.string(),
  needs: z.array(z.number()),
  problem: z.string().nullable(),
});

/** Which backup an archive is, as the installation that made it has signed it (archive-signature.ts). */
const origin = z.object({
  backupId: z.string(),
  createdOnUtc: z.iso.datetime(),
  /** HMAC-SHA-256 in lower-case hex. */
  signature: z.string(),
});

/**
 * What a backup knows of its archive from the snapshot that pg_dump read. It stands at the end of the archive and in the list of
 * backups.
 */
export const manifest = z.preprocess(
  withoutOldChecksums,
  z.object({
    version: z.literal(2),
    /** Every table of which the archive has rows. */
    tables: z.array(tableChecksum),
    /** What the archive lists beyond the platform's own schema. */
    objects: z.array(additionalObject),
    privileges: z.array(privilege),
    /** How many the database had: an archive has none. */
    largeObjects: count,
    /** Only in the archive's own manifest; earlier versions wrote none. */
    origin: origin.optional(),
  }),
);
export type Manifest = z.infer<typeof manifest>;

/** Version 1 had checksums of another kind, that are not computed any more: of its tables only the rows count. */
function withoutOldChecksums(value: unknown): unknown {
  const { success, data } = z.looseObject({ version: z.literal(1), tables: z.array(tableChecksum) }).safeParse(value);
  if (!success) return value;
  return { ...data, version: 2, tables: data.tables.map((table) => ({ ...table, checksum: '' })) };
}
