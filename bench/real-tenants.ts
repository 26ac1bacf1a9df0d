import { type Access, createTenant } from './calls.ts';
import { type Installation, signIn } from './installation.ts';
import { type RunningProcess, startServer } from './processes.ts';
import { withClient } from './rows.ts';

/** Calls at a time. */
const AT_ONCE = 4;

export async function withServer<T>(
  { environment }: Installation,
  work: (access: Access, server: RunningProcess) => Promise<T>,
): Promise<T> {
  const server = await startServer(environment);
  try {
    return await work({ url: server.url, token: await signIn(server.url) }, server);
  } finally {
    await server.stop();
  }
}

/** Makes tenants with databases of their own by the API until there are so many. @returns the codes of all there are, which are their databases' names too */
export async function ensureRealTenants(installation: Installation, count: number): Promise<string[]> {
  const url = installation.environment.DATABASE_URL;
  const { rows } = await withClient(url, (client) =>
    client.query(`select code from tenants where code collate "C" like 'REAL%'`),
  );
  const codes = rows.map(({ code }) => String(code));
  const missing = Array.from(
    { length: Math.max(count - codes.length, 0) },
    (_, index) => `REAL${codes.length + index}`,
  );
  if (missing.length === 0) return codes;
  await withServer(installation, (access) => eachOf(missing, AT_ONCE, (code) => createTenant(access, code)));
  return [...codes, ...missing];
}

/** Does something with each item, so many at a time. */
export async function eachOf<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
