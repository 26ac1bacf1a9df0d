import { fileURLToPath } from 'node:url';
import { fillTenants, fillUsers, type Installation, signIn } from './installation.ts';
import { type Comparison, report } from './measurements.ts';
import { type Load, load, startProcess, startServer } from './processes.ts';

const ROUNDS = 5;
const SECONDS = 4;
const CONNECTIONS = 10;
const FLOOR = fileURLToPath(new URL('./floor.ts', import.meta.url));

const LISTS = {
  tenants: { path: '/tenant/get', fill: fillTenants },
  users: { path: '/users/get', fill: fillUsers },
};

/** A list of so many rows beside a bare server that passes the same rows on. @returns the lines to print */
export async function benchList(installation: Installation, list: keyof typeof LISTS, rows: number): Promise<string[]> {
  const { path, fill } = LISTS[list];
  const { environment } = installation;
  await fill(installation, rows);
  const ours = await startServer(environment);
  const floor = await startProcess(process.execPath, [FLOOR, list], { DATABASE_URL: environment.DATABASE_URL });
  try {
    const token = await signIn(ours.url);
    const loads = await takeTurns({ ours: `${ours.url}/api${path}`, floor: `${floor.url}/` }, token);
    const title = `GET ${path}, ${rows} ${list}, ${CONNECTIONS} connections`;
    const compare = (what: keyof Load, unit: string, target: Comparison['target']) =>
      report({
        title: `${title}, ${what}`,
        unit,
        target,
        ours: loads.ours.map((one) => one[what]),
        floor: loads.floor.map((one) => one[what]),
      });
    return [
      compare('requestsPerSecond', '/s', { atLeast: 0.7 }),
      compare('p50', ' ms', { atMost: 1.43 }),
      compare('p99', ' ms', { atMost: 1.43 }),
      report({
        title: `${title}, peak memory`,
        unit: ' MiB',
        target: { atMost: 1.3 },
        ours: [ours.peakMemory()],
        floor: [floor.peakMemory()],
      }),
    ];
  } finally {
    await ours.stop();
    await floor.stop();
  }
}

async function takeTurns(
  targets: { ours: string; floor: string },
  token: string,
): Promise<{ ours: Load[]; floor: Load[] }> {
  const loads: { ours: Load[]; floor: Load[] } = { ours: [], floor: [] };
  // The first round warms both up and does not count.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const side of ['ours', 'floor'] as const) {
      const measured = await load(targets[side], token, CONNECTIONS, SECONDS);
      if (round > 0) loads[side].push(measured);
    }
  }
  return loads;
}
