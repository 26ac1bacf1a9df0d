import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Manifest, manifest as manifestShape } from './archive-manifest.ts';
import { hashFile } from './archive-store.ts';

/** Which backup an archive is. */
export interface Origin {
  /** An upload of the same archive is another backup. */
  backupId: string;
  /** The moment of its rows. */
  createdAt: Date;
}

/**
 * Signs an archive as a backup that this installation makes: the control database may be lost, and its own backup does not know the newest ones.
 * @param sha256 of the archive as pg_dump wrote it
 */
export function signManifest(
  key: Uint8Array,
  manifest: Manifest,
  { backupId, createdAt }: Origin,
  sha256: string,
): Manifest {
  const origin = { backupId, createdOnUtc: createdAt.toISOString() };
  return { ...manifest, origin: { ...origin, signature: sign(key, manifest, origin, sha256).toString('hex') } };
}

/**
 * Which backup an archive is by its signature.
 * @param archiveBytes how many of the file's bytes are as pg_dump wrote them
 * @returns undefined for archives that this installation did not make, or whose archive or manifest was changed
 */
export async function findOrigin(
  key: Uint8Array,
  path: string,
  { archiveBytes, manifest }: { archiveBytes: number; manifest: Manifest | null },
): Promise<Origin | undefined> {
  if (!manifest?.origin) return undefined;
  const { origin, ...signed } = manifest;
  const { hash } = await hashFile(path, { length: archiveBytes });
  const expected = sign(key, signed, origin, hash.digest('hex'));
  const found = Buffer.from(origin.signature, 'hex');
  if (found.length !== expected.length || !timingSafeEqual(found, expected)) return undefined;
  return { backupId: origin.backupId, createdAt: new Date(origin.createdOnUtc) };
}

function sign(
  key: Uint8Array,
  manifest: Manifest,
  { backupId, createdOnUtc }: { backupId: string; createdOnUtc: string },
  sha256: string,
): Buffer {
  // Parsed, so that the order of its keys is the same when it is read back.
  const { origin: _none, ...rest } = manifestShape.parse(manifest);
  return createHmac('sha256', key)
    .update(JSON.stringify([backupId, createdOnUtc, sha256, rest]))
    .digest();
}
