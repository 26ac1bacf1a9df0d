import { choosePort } from './chosen-port.ts';
import { createPlatformDatabase } from './databases.ts';
import { type ServerProcess, startServer, withDataDir } from './server-process.ts';

const SECRET = 'a secret that only tests use, long enough';

/** Runs `work` with several server processes on one control database. */
export async function withServers(
  count: number,
  settings: Record<string, string>,
  work: (
    servers: ServerProcess[],
    start: (port: string, own?: Record<string, string>) => Promise<ServerProcess>,
    installation: { databaseUrl: string; dataDir: string },
  ) => Promise<void>,
): Promise<void> {
  const database = await createPlatformDatabase();
  await withDataDir(async (dataDir) => {
    const environment = { DATABASE_URL: database.url, APOTHECA_DATA_DIR: dataDir, APOTHECA_SECRET: SECRET };
    const start = (PORT: string, own?: Record<string, string>) =>
      startServer({ ...environment, APOTHECA_MAX_CONNECTIONS: '20', ...settings, ...own, PORT });
    const servers = await Promise.all(Array.from({ length: count }, async () => start(String(await choosePort()))));
    try {
      await work(servers, start, { databaseUrl: database.url, dataDir });
    } finally {
      await Promise.all(servers.map((server) => server.kill()));
    }
  });
  await database.drop();
}
