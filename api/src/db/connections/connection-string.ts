/** A host of a connection string. */
export interface PostgresHost {
  /** Its name or address, without brackets; or the folder of its socket. */
  host: string;
  port: number;
}

const DEFAULT_PORT = 5432;

/** What stands before the hosts, the hosts, and what stands behind them. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/;

const FORM = 'must look like postgresql://user:password@host:5432/database, where several hosts have commas between';

/**
 * Reads a connection string that may name several hosts in libpq's form: `postgresql://user:password@one:5432,two:5433/database`.
 * @returns one that `new URL`, node-postgres and libpq read: the first host stands in the place of one, and all of them in the parameters
 *   `host` and `port`, which count for libpq. Several hosts have `target_session_attrs` too
 * @throws Error that says what is wrong, without the value, which has a password
 * @see https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
 */
export function readConnectionString(value: string): string {
  const [, before = '', hosts = '', behind = ''] = PARTS.exec(value) ?? [];
  const urls = hosts.split(',').map((host) => URL.parse(before + host + behind));
  const [first] = urls;
  if (!first || urls.includes(null) || databaseNameOf(first.href) === '') throw new Error(FORM);
  if (urls.length > 1) {
    if (urls.some((url) => !url?.hostname)) throw new Error(FORM);
    first.searchParams.set('host', urls.map((url) => bare(url?.hostname)).join(','));
    first.searchParams.set('port', urls.map((url) => url?.port || DEFAULT_PORT).join(','));
  }
  return wantPrimary(first);
}

/** Apotheca writes, so it is of no use to it where it can only read. @throws Error */
function wantPrimary(url: URL): string {
  const ports = (url.searchParams.get('port') ?? '').split(',');
  const hosts = hostsOf(url.href);
  if (ports.length > 1 && ports.length !== hosts.length) throw new Error('must have as many ports as hosts, or one');
  const wanted = url.searchParams.get('target_session_attrs') ?? (hosts.length > 1 ? 'read-write' : undefined);
  if (wanted === undefined) return url.href;
  if (!['read-write', 'primary'].includes(wanted)) {
    throw new Error('must have target_session_attrs=read-write or primary, or none: Apotheca writes');
  }
  url.searchParams.set('target_session_attrs', wanted);
  return url.href;
}

/** The hosts of a connection string, in its order. */
export function hostsOf(url: string): PostgresHost[] {
  const { hostname, port, searchParams } = new URL(url);
  const hosts = (searchParams.get('host') ?? bare(hostname)).split(',');
  const ports = (searchParams.get('port') ?? port).split(',');
  return hosts.map((host, index) => ({ host, port: Number((ports[index] ?? ports[0]) || DEFAULT_PORT) }));
}

/** The hosts of a connection string as they are written there, with their ports. */
export function describeHosts(url: string): string {
  return hostsOf(url)
    .map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`)
    .join(',');
}

/** The same server and user, another database. */
export function withDatabaseName(url: string, name: string): string {
  const target = new URL(url);
  target.pathname = `/${encodeURIComponent(name)}`;
  return target.href;
}

/** The name of the database that a connection string leads to. */
export const databaseNameOf = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1));

/** An IPv6 address without its brackets. */
const bare = (hostname = ''): string => hostname.replace(/^\[|\]$/g, '');
