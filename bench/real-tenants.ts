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

/**
 * Makes tenants with databases of their own until there are so many or the time is over.
 * @returns the codes of all there are, which are their databases' names too
 */
export async function ensureRealTenants(installation: Installation, count: number, seconds: number): Promise<string[]> {
  const url = installation.environment.DATABASE_URL;
  const { rows } = await withClient(url, (client) =>
    client.query(`select code from tenants where code collate "C" like 'REAL%'`),
  );
  const codes = rows.map(({ code }) => String(code));
  if (codes.length >= count) return codes;
  const endsAt = performance.now() + seconds * 1000;
  await withServer(installation, async (access) => {
    const missing = Array.from({ length: count - codes.length }, (_, index) => `REAL${codes.length + index}`);
    await eachOf(missing, AT_ONCE, async (code) => {
      if (performance.now() > endsAt) return;
      await createTenant(access, code);
      codes.push(code);
      if (codes.length % 100 === 0) console.log(`${codes.length} databases`);
    });
  });
  return codes;
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
