import { createHash, createHmac, randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DatabaseServerForm } from '@apotheca/contract/databaseservers';
import type { Context } from '../../context.ts';
import type { ServerAddress } from '../../db/clusters.ts';
import { AppError } from '../../errors.ts';
import { decrypt, encrypt, type Keys } from '../../secrets.ts';
import { findServer, type ServerRow } from './databaseservers.repository.ts';

/** How a server is reached. */
export type Way = Pick<DatabaseServerForm, 'host' | 'port' | 'userName' | 'password' | 'tls' | 'caCertificate'>;

export const sealPassword = ({ databaseServers }: Keys, password: string): Buffer => encrypt(databaseServers, password);

/** How another server than the home one is reached, by its record. @throws AppError conflict */
export async function getServerAddress(
  { platform, keys }: Pick<Context, 'platform' | 'keys'>,
  id: string,
): Promise<ServerAddress> {
  const row = await findServer(platform, id);
  if (!row) throw new AppError('conflict', { message: 'The database server has no record any more.' });
  return { id, name: row.name, url: await connectionStringFor(keys, wayOf(keys, row)) };
}

/** @throws AppError conflict where the password was saved under another APOTHECA_SECRET */
export function wayOf({ databaseServers }: Keys, row: ServerRow): Way {
  const { host, port, password, userName, tls, caCertificate } = row;
  if (host === null || port === null || password === null)
    throw new Error('The home server has no address of its own.');
  try {
    return { host, port, userName, tls, caCertificate, password: decrypt(databaseServers, password) };
  } catch {
    throw new AppError('conflict', {
      message: `The password of the database server ${row.name} was saved under another APOTHECA_SECRET: please enter it again.`,
    });
  }
}

/**
 * The administrator's connection string. It names a database of this installation's own there: by its name the installation knows which
 * databases and roles of the server are its own (decision 071).
 */
export async function connectionStringFor({ databaseServers }: Keys, way: Way): Promise<string> {
  const { host, port, userName, password, tls, caCertificate } = way;
  const own = createHmac('sha256', databaseServers).update('name').digest('hex').slice(0, 12);
  const url = new URL('postgresql://host');
  url.host = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  url.username = encodeURIComponent(userName);
  url.password = encodeURIComponent(password);
  url.pathname = `/apotheca_home_${own}`;
  url.searchParams.set('sslmode', tls);
  // As libpq does: without it node-pg would verify the certificate.
  if (tls === 'require') url.searchParams.set('uselibpqcompat', 'true');
  if (tls === 'verify-full') url.searchParams.set('sslrootcert', await fileOf(caCertificate));
  return url.href;
}

let folder: Promise<string> | undefined;

/**
 * A file of a certificate, for libpq, which takes no other form. Client programs run as another account, so everybody may read it. It is
 * there as a whole or not at all, as others read it at any time.
 */
async function fileOf(certificate: string): Promise<string> {
  folder ??= makeFolder();
  const name = createHash('sha256').update(certificate).digest('hex').slice(0, 16);
  const path = join(await folder, `${name}.pem`);
  if (existsSync(path)) return path;
  const draft = `${path}.${randomUUID()}`;
  // Something may have tidied up the system's folder of temporary files.
  await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  await writeFile(draft, certificate, { mode: 0o644 });
  await rename(draft, path);
  return path;
}

async function makeFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'apotheca-ca-'));
  await chmod(path, 0o755);
  process.once('exit', () => rmSync(path, { recursive: true, force: true }));
  return path;
}
