// `npm run bench`: Apotheca's figures beside the floor's, taken in turn in one run. Ratios are what counts: machines differ.
// `npm run bench -- clone backup` takes only those.

import { benchBackup, benchClone, benchRestore } from './database-operations.ts';
import { benchFaqs } from './faqs.ts';
import { type Installation, makeInstallation } from './installation.ts';
import { benchList } from './lists.ts';
import { benchMenuTree } from './menu-tree.ts';
import { benchLargePurge, benchSmallPurge } from './purge.ts';
import { benchTenantCreation } from './tenant-creation.ts';
import { benchTenantTable } from './tenant-table.ts';
import { benchThousandDatabases } from './thousand-databases.ts';
import { benchWarmStart } from './warm-start.ts';

type Measurement = (installation: Installation) => Promise<string[]>;

/** By the name that chooses them; those of one group share an installation. */
const GROUPS: Record<string, Measurement>[] = [
  {
    list: (installation) => benchList(installation, 'tenants', 1_000),
    'long-list': (installation) => benchList(installation, 'tenants', 10_000),
    users: (installation) => benchList(installation, 'users', 10_000),
    faqs: benchFaqs,
    menus: benchMenuTree,
    creation: benchTenantCreation,
    table: benchTenantTable,
    start: benchWarmStart,
  },
  {
    clone: benchClone,
    backup: benchBackup,
    restore: benchRestore,
    'small-purge': benchSmallPurge,
    'large-purge': benchLargePurge,
  },
  { databases: benchThousandDatabases },
];

const NAMES = GROUPS.flatMap((group) => Object.keys(group));
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !NAMES.includes(name));
if (unknown.length > 0) {
  console.error(`There is no measurement '${unknown.join("', '")}'. There are: ${NAMES.join(', ')}.`);
  process.exit(1);
}
for (const group of GROUPS) {
  const measurements = Object.entries(group).filter(([name]) => chosen.length === 0 || chosen.includes(name));
  if (measurements.length > 0) await take(measurements.map(([, measurement]) => measurement));
}

async function take(measurements: Measurement[]): Promise<void> {
  const installation = await makeInstallation();
  try {
    for (const measurement of measurements) console.log((await measurement(installation)).join('\n'));
  } finally {
    await installation.remove();
  }
}
