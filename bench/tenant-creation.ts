import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createTenant } from './calls.ts';
import { fillTenants, type Installation, signIn } from './installation.ts';
import { report, time } from './measurements.ts';
import { startServer } from './processes.ts';

const ROUNDS = 15;

/** POST /tenant/create beside the bare CREATE DATABASE … TEMPLATE. @returns the line to print */
export async function benchTenantCreation(installation: Installation): Promise<string[]> {
  await fillTenants(installation, 0);
  const server = await startServer(installation.environment);
  const client = new pg.Client({ connectionString: installation.environment.DATABASE_URL });
  await client.connect();
  try {
    const access = { url: server.url, token: await signIn(server.url) };
    const { rows } = await client.query("select datname from pg_database where datname like 'apotheca\\_template\\_%'");
    const figures: { ours: number[]; floor: number[] } = { ours: [], floor: [] };
    for (let round = 0; round <= ROUNDS; round += 1) {
      const code = `B${randomBytes(6).toString('hex')}`;
      const ours = await time(() => createTenant(access, code));
      const floor = await time(() => client.query(`create database "${code}" template "${rows[0].datname}"`));
      if (round === 0) continue;
      figures.ours.push(ours);
      figures.floor.push(floor);
    }
    return [
      report({
        title: 'POST /tenant/create beside CREATE DATABASE … TEMPLATE',
        unit: ' ms',
        target: { atMost: 1.5 },
        ...figures,
      }),
    ];
  } finally {
    await client.end();
    await server.stop();
  }
}
