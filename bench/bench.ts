// `npm run bench`: Apotheca's figures beside those of the least that can be done, taken in turn in one run. Ratios are what counts:
// machines differ. `npm run bench -- clone backup` takes only those; `--against REF` takes the lists of an earlier commit too.
import { parseArgs } from 'node:util';
import { benchAuditSearch } from './audit-search.ts';
import { benchDashboard } from './dashboard.ts';
import { benchBackup, benchClone, benchProof, benchRestore } from './database-operations.ts';
import { unpackEarlierCode } from './earlier-code.ts';
import { benchFaqs } from './faqs.ts';
import { benchFleet } from './fleet.ts';
import { benchGrowth } from './growth.ts';
import { type Installation, makeInstallation } from './installation.ts';
import { benchLighthouse } from './lighthouse.ts';
import { benchList } from './list-load.ts';
import { benchListScreens } from './list-screens.ts';
import { LISTS } from './lists.ts';
import { benchMenuTree } from './menu-tree.ts';
import { benchPublicFaq } from './public-faq.ts';
import { benchLargePurge, benchSmallPurge } from './purge.ts';
import { benchRequests } from './requests.ts';
import { writeResults } from './results.ts';
import { benchSignIn } from './sign-in.ts';
import { printed, type Table } from './tables.ts';
import { benchCreationsAtOnce, benchTenantCreation } from './tenant-creation.ts';
import { benchThousandDatabases } from './thousand-databases.ts';
import { benchWarmStart } from './warm-start.ts';
import { benchWebProcesses } from './web-processes.ts';

type Measurement = (installation: Installation) => Promise<Table[]>;

const lists = Object.entries(LISTS).map(([name, list]): [string, Measurement] => [
  name,
  (installation) => benchList(installation, name, list),
]);

interface Group {
  /** By the name that chooses them. */
  measurements: Record<string, Measurement>;
  /** Of their PostgreSQL; absent: its defaults, fsync and all. */
  settings?: Record<string, string>;
}

/** Those of one group share an installation. */
const GROUPS: Group[] = [
  { measurements: Object.fromEntries(lists) },
  {
    measurements: {
      'faq-moves': benchFaqs,
      'public-faq': benchPublicFaq,
      'menu-tree': benchMenuTree,
      creation: benchTenantCreation,
      'creations-at-once': benchCreationsAtOnce,
      'sign-in': benchSignIn,
      table: benchListScreens,
      dashboard: benchDashboard,
      lighthouse: benchLighthouse,
      start: benchWarmStart,
      requests: benchRequests,
      'web-processes': benchWebProcesses,
    },
  },
  {
    measurements: {
      clone: benchClone,
      backup: benchBackup,
      restore: benchRestore,
      proof: benchProof,
      'small-purge': benchSmallPurge,
      'large-purge': benchLargePurge,
    },
  },
  {
    measurements: {
      'audit-search': benchAuditSearch,
      growth: benchGrowth,
      'thousand-databases': benchThousandDatabases,
      fleet: benchFleet,
    },
    // Making 1,000,000 entries or 1,000 databases is not what is measured, and their files would be flushed for minutes.
    settings: { fsync: 'off' },
  },
];

/** Those that are measured only when they are named: they fetch a package, are of a fleet, which not every operator has, or take minutes. */
const ONLY_NAMED = [
  'lighthouse',
  'creations-at-once',
  'web-processes',
  'requests',
  'large-purge',
  'audit-search',
  'thousand-databases',
  'fleet',
];

const NAMES = GROUPS.flatMap(({ measurements }) => Object.keys(measurements));
const { values, positionals: chosen } = parseArgs({ allowPositionals: true, options: { against: { type: 'string' } } });
const unknown = chosen.filter((name) => !NAMES.includes(name));
if (unknown.length > 0) {
  console.error(`There is no measurement '${unknown.join("', '")}'. There are: ${NAMES.join(', ')}.`);
  process.exit(1);
}

const earlier = values.against === undefined ? undefined : unpackEarlierCode(values.against);
const tables: Table[] = [];
/** Seconds that each measurement took. */
const took: [name: string, seconds: number][] = [];
try {
  for (const group of GROUPS) await take(group);
} finally {
  earlier?.remove();
  const command = ['npm run bench', ...process.argv.slice(2)].join(' ');
  if (took.length > 0) {
    const times = timesTaken();
    console.log(printed(times));
    console.log(`\n${writeResults([...tables, times], command, performance.now() / 1000)}`);
  }
}

async function take({ measurements, settings }: Group): Promise<void> {
  const named = Object.entries(measurements).filter(([name]) =>
    chosen.length === 0 ? !ONLY_NAMED.includes(name) : chosen.includes(name),
  );
  if (named.length === 0) return;
  const installation = await makeInstallation({ earlier, settings });
  try {
    for (const [name, measurement] of named) {
      const startedAt = performance.now();
      const taken = await measurement(installation);
      tables.push(...taken);
      took.push([name, (performance.now() - startedAt) / 1000]);
      console.log(taken.map(printed).join('\n'));
    }
  } finally {
    await installation.remove();
  }
}

/** How long each measurement took; the last row has all of them, and what was made ready between them. */
function timesTaken(): Table {
  const rows = [...took, ['all', performance.now() / 1000] as const];
  return {
    title: 'Time that the measurements took',
    columns: ['', 'seconds'],
    rows: rows.map(([name, seconds]) => ({ name, cells: [{ figures: [seconds], unit: ' s' }] })),
    chart: { kind: 'bars', cell: 0 },
  };
}
