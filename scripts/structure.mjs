// `npm run lint` and `npm test`: the rooms of the code, and which of them may import which. A room is a folder, or a file outside
// of the folders. What lies deeper belongs to the nearest room above it that is named here. A room imports rooms of lower floors
// only, files stand in no circle, the rules of layers hold for every file, none is longer than 300 lines, and raw SQL conditions with
// `or` have brackets. Tests and what they share may import anything.
// Usage: node scripts/structure.mjs [folder of the repository]
//
// Why this and no other tool: docs/decisions/027-order-of-rooms.md
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FEATURES } from '../contract/src/features.ts';

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));

const features = (named = []) =>
  FEATURES.map((feature) => `features/${feature}`).filter((feature) => !named.includes(feature));

/** The rooms of each house by floors, the ground first. Rooms of one floor do not import each other. */
const HOUSES = {
  'api/src': [
    [
      'errors',
      'actor',
      'wording',
      'name-keys',
      'skip-while-running',
      'worker',
      'flush-to-disk',
      'csv',
      'figures',
      'failure-log',
      'tracing',
      'address-range',
      'product-version',
      'backup-stores',
      'oidc-providers',
    ],
    ['plan', 'common-passwords', 'mail-settings', 'db/tables', 'db/errors', 'rich-text'],
    ['db/connections'],
    ['settings'],
    ['config', 'unknown-settings', 'db/platform', 'db/client-programs'],
    ['db/cluster', 'db/embedded'],
    ['db'],
    ['audit'],
    ['secrets'],
    ['context'],
    ['mail'],
    ['operations'],
    ['batches'],
    ['imports', 'bulks'],
    ['plugins'],
    ['features/auth'],
    ['features/operations'],
    ['features/databaseservers'],
    ['features/databases/tenant-database'],
    ['features/databases'],
    [
      'features/databases/anonymization',
      'features/databases/backups/archive',
      'features/databases/parking',
      'features/databases/purge',
      'features/databases/reconciliation',
    ],
    ['features/databases/backups/stores'],
    ['features/databases/backups'],
    ['features/databases/backups/installation'],
    ['features/databases/moving'],
    ['features/databases/staging', 'features/databases/bulk'],
    ['features/databases/point-in-time', 'features/databases/adoption'],
    ['features/users'],
    ['features/permissions'],
    features([
      'features/auth',
      'features/databases',
      'features/databaseservers',
      'features/users',
      'features/permissions',
      'features/account',
    ]),
    ['features/account'],
    ['seed', 'demo/sample-rows', 'operation-kinds'],
    ['demo'],
    ['background-work', 'connections'],
    ['installation', 'app'],
    ['recovery', 'pooling'],
    ['existing-installation'],
    ['main', 'recover', 'verify-audit', 'admin', 'health-check', 'settings-reference', 'pgbouncer'],
    ['testing'],
  ],
  'console/src': [
    ['locales', 'styles'],
    ['lib'],
    ['components', 'transport'],
    ['session'],
    ['api'],
    ['rights'],
    ['forms', 'history', 'lists', 'operations'],
    ['imports', 'bulks', 'views'],
    features(),
    ['app/navigation', 'app/state'],
    ['app/guide'],
    ['app/activity', 'app/drafts', 'app/pages'],
    ['app/palette'],
    ['app/layout'],
    ['app'],
    ['main'],
    ['testing'],
  ],
  // No floors: each file is a room.
  'contract/src': undefined,
};

/** What files of a kind may not import: packages, or files by their path. `why` ends the message. */
const LAYERS = [
  {
    files: /^contract\/src\//,
    refused: ({ spec, target }) => !target && spec !== 'zod',
    why: 'the contract imports only zod',
  },
  {
    files: /^api\/src\/features\/.*\.routes\.ts$/,
    refused: ({ spec, target }) => ['pg', 'kysely'].includes(spec) || target?.endsWith('.repository.ts'),
    why: 'routes call services; SQL stands in repositories',
  },
  {
    files: /^api\/src\/(features|operations|batches|imports|bulks|audit|mail)\/.*(?<!\.repository|\.routes)\.ts$/,
    refused: ({ spec, isType }) => ['pg', 'kysely'].includes(spec) && !isType,
    why: 'SQL stands in repositories',
  },
  {
    files: /^api\/src\/.*\.service\.ts$/,
    refused: ({ spec }) => spec === 'pg',
    why: 'a service speaks with no database of its own',
  },
  {
    files: /^api\/src\/(features|operations|batches|imports|bulks|audit|mail)\/.*(?<!\.routes)\.ts$/,
    refused: ({ spec, target }) => spec.includes('fastify') || target?.endsWith('.routes.ts'),
    why: 'only routes know HTTP',
  },
  {
    files: /^api\/src\/.*\.repository\.ts$/,
    refused: ({ target }) => /\.(service|operation)\.ts$/.test(target ?? ''),
    why: 'a repository calls no service and no operation',
  },
  {
    files: /^api\/src\/features\//,
    refused: ({ file, target }) => target?.endsWith('.repository.ts') && featureOf(target) !== featureOf(file),
    why: "a feature calls another one's services, never its repositories",
  },
];

/** A longer file has more than one concept. */
const MOST_LINES = 300;

const featureOf = (path) => /^api\/src\/features\/([^/]+)/.exec(path)?.[1];

const problems = [];
for (const [house, floors] of Object.entries(HOUSES)) {
  const files = filesOf(house);
  const imports = files.flatMap((file) => importsOf(file, house));
  const rooms = floors ? floors.flat() : [];
  const roomOf = (file) => nameRoom(file.slice(house.length + 1), rooms);
  if (floors) {
    refuseUnplaced(files, rooms, roomOf);
    refuseUpward(imports, floors, roomOf);
  }
  refuseLayers(imports);
  refuseLong(files);
  refuseBareOr(files);
  const arrows = pairs(imports, (path) => roomOf(path));
  const circles = circlesOf(pairs(imports, (path) => path));
  if (house === 'console/src') circles.push(...circlesOf(pairs(imports, dirname)));
  for (const circle of circles) problems.push(`${circle.join(' and ')} import each other in a circle`);
  const count = `${new Set(files.map(roomOf)).size} rooms, ${arrows.length} arrows, ${circlesOf(arrows).length} circles`;
  console.log(`${house}: ${count}; ${files.length} files, ${circles.length} circles`);
}
for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 ? 1 : 0);

function filesOf(house) {
  return globSync(`${house}/**/*.{ts,tsx}`, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.test\.tsx?$|\.d\.ts$|\/testing\//.test(file))
    .toSorted();
}

/** Every import of a file: its text, the imported file if it is in the same house, and whether it imports only types. */
function importsOf(file, house) {
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.matchAll(
    /^(?:import|export)\b(?<head>[^'";=]*)\bfrom\s*'(?<from>[^']+)'|^import\s*'(?<bare>[^']+)'|\bimport\(\s*'(?<lazy>[^']+)'/gm,
  );
  return [...found].map(({ groups: { head = '', from, bare, lazy } }) => {
    const spec = from ?? bare ?? lazy;
    const path = posix.join(dirname(file), spec);
    const target = spec.startsWith('.') && path.startsWith(`${house}/`) ? path : undefined;
    return { file, spec, target, isType: /^\s*type\b/.test(head) };
  });
}

/** The nearest named room; if there is none, the folder, or the file itself if it is in no folder. */
function nameRoom(path, rooms) {
  for (let place = path.replace(/\.tsx?$/, ''); place !== '.'; place = posix.dirname(place))
    if (rooms.includes(place)) return place;
  const folder = posix.dirname(path);
  return folder === '.' ? path.replace(/\.tsx?$/, '') : folder;
}

function refuseUnplaced(files, rooms, roomOf) {
  for (const room of new Set(files.map(roomOf)))
    if (!rooms.includes(room)) problems.push(`${room} stands on no floor: give it a place in scripts/structure.mjs`);
}

function refuseUpward(imports, floors, roomOf) {
  const floorOf = (room) => floors.findIndex((rooms) => rooms.includes(room));
  for (const { file, target } of imports.filter((each) => each.target)) {
    const [from, to] = [roomOf(file), roomOf(target)];
    if (from !== to && floorOf(to) >= 0 && floorOf(from) <= floorOf(to))
      problems.push(`${file} imports ${target}: ${from} stands below ${to}, or on its floor`);
  }
}

function refuseLayers(imports) {
  for (const each of imports)
    for (const { files, refused, why } of LAYERS)
      if (files.test(each.file) && refused(each))
        problems.push(`${each.file} imports ${each.target ?? each.spec}: ${why}`);
}

function refuseLong(files) {
  for (const file of files) {
    const count = readFileSync(join(root, file), 'utf8').split('\n').length - 1;
    if (count > MOST_LINES) problems.push(`${file} has ${count} lines: split it, ${MOST_LINES} are the most`);
  }
}

/** Kysely joins raw conditions to others by `and` as they are: with an `or` in no brackets, what stands before it counts no more. */
function refuseBareOr(files) {
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const { index, 0: opening } of text.matchAll(/\bsql(?:<[^`;]*>)?`/g)) {
      const [beforeOr, ...rest] = outsideBrackets(text.slice(index + opening.length)).split(/\bor\b/i);
      // After such a word it is a part of a statement, not a condition to be joined.
      if (rest.length > 0 && !/\b(?:select|where|on|when)\b/i.test(beforeOr))
        problems.push(`${file} has a raw condition with 'or' in no brackets: put them around it`);
    }
  }
}

/** What of a raw SQL text stands in no brackets, quotes or `${}`. @param text begins with it */
function outsideBrackets(text) {
  let depth = 0;
  let outside = '';
  for (const [part] of text.matchAll(/'[^']*'|[^']/g)) {
    if (part === '`' && depth === 0) break;
    if (part === ')' || part === '}') depth -= 1;
    if (depth === 0) outside += part;
    if (part === '(' || part === '{') depth += 1;
  }
  return outside.replaceAll(/'[^']*'/g, '');
}

/** The arrows between rooms or files, each once. */
function pairs(imports, nameOf) {
  const named = imports.filter(({ target }) => target).map(({ file, target }) => [nameOf(file), nameOf(target)]);
  return [...new Map(named.filter(([from, to]) => from !== to).map((pair) => [pair.join(' '), pair])).values()];
}

/** The sets of rooms or files whose members all reach each other. */
function circlesOf(arrows) {
  const next = Map.groupBy(arrows, ([from]) => from);
  const reach = new Map();
  for (const from of next.keys()) {
    const reached = new Set();
    const open = [from];
    while (open.length > 0)
      for (const [, to] of next.get(open.pop()) ?? [])
        if (!reached.has(to)) {
          reached.add(to);
          open.push(to);
        }
    reach.set(from, reached);
  }
  const inCircle = [...next.keys()].filter((from) => reach.get(from).has(from));
  const circles = Map.groupBy(inCircle, (from) =>
    inCircle.filter((to) => to === from || (reach.get(from).has(to) && reach.get(to).has(from))).join(' '),
  );
  return [...circles.keys()].map((members) => members.split(' '));
}
