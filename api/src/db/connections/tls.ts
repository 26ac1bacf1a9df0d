/** How a connection can be encrypted, in libpq's words, the weakest first. @see https://www.postgresql.org/docs/15/libpq-ssl.html */
export const TLS_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];

/** libpq's variables for what stands in a connection string otherwise. node-pg reads only the first of them. */
const VARIABLES = {
  PGSSLMODE: 'sslmode',
  PGSSLROOTCERT: 'sslrootcert',
  PGSSLCERT: 'sslcert',
  PGSSLKEY: 'sslkey',
};

/**
 * A connection string that says all of its TLS itself. What it leaves out comes from libpq's variables, so that this server, the client
 * programs and what programs of tenants are told are the same. Who names a CA and no mode wants it verified.
 * @throws Error naming a mode that there is not
 */
export function withTls(url: string, environment: Record<string, string | undefined>): string {
  const target = new URL(url);
  const { searchParams } = target;
  if (!searchParams.has('sslmode') && searchParams.has('sslrootcert')) searchParams.set('sslmode', 'verify-full');
  for (const [variable, name] of Object.entries(VARIABLES)) {
    const value = environment[variable];
    // Without a mode nothing is encrypted, and other files than these would say otherwise to node-pg.
    const isNeeded = name === 'sslmode' || !['disable', null].includes(searchParams.get('sslmode'));
    if (value && isNeeded && !searchParams.has(name)) searchParams.set(name, value);
  }
  const mode = searchParams.get('sslmode');
  if (mode !== null && !TLS_MODES.includes(mode)) throw new Error(`must be one of: ${TLS_MODES.join(', ')}`);
  // As it was given, where nothing is added.
  return searchParams.size === new URL(url).searchParams.size ? url : target.href;
}

/**
 * How libpq is told to verify as node-pg does: where a CA is given, node-pg compares the host name too, whatever the mode, unless
 * `uselibpqcompat` stands beside it.
 */
export function verifyAsNodeDoes({ searchParams }: URL): void {
  const isLibpqs = searchParams.get('uselibpqcompat') === 'true';
  const mode = searchParams.get('sslmode');
  if (!isLibpqs && mode !== null && mode !== 'disable' && searchParams.has('sslrootcert'))
    searchParams.set('sslmode', 'verify-full');
  // node-pg's own.
  searchParams.delete('uselibpqcompat');
}
