import { isAbsolute, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A folder that takes copies of archives. */
export interface FileStorePlace {
  kind: 'file';
  /** What rows of copies and people call it. It has no secret. */
  name: string;
  path: string;
}

/** A bucket, or a part of one, that takes copies of archives. */
export interface S3StorePlace {
  kind: 's3';
  /** What rows of copies and people call it. It has no secret. */
  name: string;
  bucket: string;
  /** Empty, or with a slash at its end. */
  prefix: string;
  /** Absent: that of AWS. */
  endpoint?: string;
  region?: string;
  /** A section of the file of credentials; absent: the usual search of AWS. */
  profile?: string;
}

export type StorePlace = FileStorePlace | S3StorePlace;

/** Where archives are copied, and for whom copies are encrypted. */
export interface BackupStores {
  places: readonly StorePlace[];
  /** Public keys of age; none: copies are not encrypted. */
  recipients: readonly string[];
}

export const NO_STORES: BackupStores = { places: [], recipients: [] };

/**
 * Reads APOTHECA_BACKUP_STORES.
 * @throws Error whose message repeats nothing of the setting, as somebody may have put a secret into it
 */
export function readStorePlaces(setting: string): StorePlace[] {
  const places = setting.split(',').map((entry, index) => {
    const which = `store ${index + 1} of APOTHECA_BACKUP_STORES`;
    const url = parseUrl(entry.trim(), which, 'file:/path or s3://bucket/prefix?endpoint=…');
    if (url.protocol === 'file:') return readFolder(url, which);
    if (url.protocol === 's3:') return readBucket(url, which);
    throw new Error(`${which} must begin with file:/ or s3://`);
  });
  const names = new Set(places.map(({ name }) => name));
  if (names.size < places.length) throw new Error('APOTHECA_BACKUP_STORES names a store twice');
  return places;
}

function parseUrl(text: string, which: string, form: string): URL {
  if (!URL.canParse(text)) throw new Error(`${which} must look like ${form}`);
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new Error(
      `${which} has credentials in it: give them in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or in a file`,
    );
  }
  return url;
}

function readFolder(url: URL, which: string): FileStorePlace {
  if (url.host !== '' || url.search !== '' || url.hash !== '') throw new Error(`${which} must look like file:/path`);
  const path = normalize(fileURLToPath(url)).replace(/(?<=.)\/$/, '');
  if (!isAbsolute(path)) throw new Error(`${which} must have a path that begins with /`);
  return { kind: 'file', name: `file:${path}`, path };
}

/** Further parameters are refused: one that were left out could be the one that mattered. */
const PARAMETERS = ['endpoint', 'region', 'profile'];

function readBucket(url: URL, which: string): S3StorePlace {
  const parameters = [...url.searchParams.keys()];
  if (parameters.some((name) => !PARAMETERS.includes(name)) || url.hash !== '') {
    throw new Error(`${which} takes the parameters endpoint, region and profile only`);
  }
  if (url.host === '' || url.port !== '') throw new Error(`${which} must look like s3://bucket/prefix?endpoint=…`);
  const { endpoint, region, profile } = Object.fromEntries(url.searchParams);
  const origin = endpoint && readEndpoint(endpoint, which);
  const path = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '');
  return {
    kind: 's3',
    name: `s3://${url.host}${path && `/${path}`}${origin ? ` at ${new URL(origin).host}` : ''}`,
    bucket: url.host,
    prefix: path && `${path}/`,
    ...(origin && { endpoint: origin }),
    ...(region && { region }),
    ...(profile && { profile }),
  };
}

const ENDPOINT = 'https://host:port';

function readEndpoint(text: string, which: string): string {
  const url = parseUrl(text, `the endpoint of ${which}`, ENDPOINT);
  if (!/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new Error(`the endpoint of ${which} must look like ${ENDPOINT}`);
  }
  return url.href;
}
