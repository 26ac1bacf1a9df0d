import { Readable } from 'node:stream';
import type { AuditFilters, AuditTrailEntry } from '@apotheca/contract/audit';
import type { Actor } from '../../actor.ts';
import { appendAudit, isShortened, openTrail, readSearchPage } from '../../audit/audit.service.ts';
import { trailLines } from '../../audit/trail-file.ts';
import type { KeptTrail } from '../../audit/verification.ts';
import type { Context } from '../../context.ts';
import { csvHeading, csvRow } from '../../csv.ts';
import { onBudget, TimeBudget } from '../../db/connections/time-budget.ts';
import type { Platform } from '../../db/platform.ts';

/** How many entries are in memory at once. */
const PAGE = 2_000;

type Format = 'csv' | 'json' | 'trail';

interface AuditFile {
  content: Readable;
  name: string;
  type: string;
}

const TYPES: Record<Format, { ending: string; type: string }> = {
  csv: { ending: 'csv', type: 'text/csv; charset=utf-8' },
  json: { ending: 'json', type: 'application/json; charset=utf-8' },
  trail: { ending: 'jsonl', type: 'application/x-ndjson; charset=utf-8' },
};

/** A file of what a filter leaves, or of the whole trail. It is read page by page as it is sent; the export is audited before. */
export async function exportAudit(
  context: Context,
  actor: Actor,
  format: Format,
  filters: AuditFilters,
): Promise<AuditFile> {
  const asked = format === 'trail' ? {} : filters;
  const changes = { format, ...asked };
  await context.platform
    .transaction()
    .execute((trx) =>
      appendAudit(context, trx, { actor, action: 'audit.export', entity: 'audit', entityId: '', changes }),
    );
  const { ending, type } = TYPES[format];
  const moment = context.now().toISOString().slice(0, 16).replaceAll(':', '');
  const text =
    format === 'trail' ? wholeTrail(context) : format === 'csv' ? csv(context, filters) : json(context, filters);
  return { content: Readable.from(unbudgeted(text)), name: `audit ${moment}.${ending}`, type };
}

/** Gives each part of a text its own time to wait for PostgreSQL: a long file takes longer than a call may. */
async function* unbudgeted(text: AsyncGenerator<string>): AsyncGenerator<string> {
  for (;;) {
    const part = await onBudget(new TimeBudget(), () => text.next());
    if (part.done) return;
    yield part.value;
  }
}

async function* pagesOf({ pool }: Context, filters: AuditFilters): AsyncGenerator<AuditTrailEntry[]> {
  for (let before: string | undefined; ; ) {
    const { entries, further } = await readSearchPage(pool, { ...filters, before }, PAGE);
    if (entries.length > 0) yield entries;
    if (!further) return;
    before = further.before;
  }
}

const COLUMNS = [
  'id',
  'onUtc',
  'actorName',
  'actorId',
  'action',
  'outcome',
  'entity',
  'entityId',
  'address',
  'changes',
] as const satisfies readonly (keyof AuditTrailEntry)[];

async function* csv(context: Context, filters: AuditFilters): AsyncGenerator<string> {
  yield csvHeading(COLUMNS);
  for await (const page of pagesOf(context, filters)) yield page.map(entryRow).join('');
}

const entryRow = (entry: AuditTrailEntry): string =>
  csvRow(
    COLUMNS.map((column) => {
      const value = entry[column];
      return value !== null && typeof value === 'object' ? JSON.stringify(value) : value;
    }),
  );

async function* json(context: Context, filters: AuditFilters): AsyncGenerator<string> {
  yield '[';
  let between = '\n';
  for await (const page of pagesOf(context, filters)) {
    yield between + page.map((entry) => JSON.stringify(entry)).join(',\n');
    between = ',\n';
  }
  yield '\n]\n';
}

async function* wholeTrail({ platform, keys, now }: Context): AsyncGenerator<string> {
  const trail = await openTrail(platform);
  yield* trailLines(keys.audit, { ...trail, pages: withoutLoss(platform, trail) }, now());
}

/**
 * The entries of a trail, as long as none is removed because of its age before it is read: a file with that gap would tell of a trail that
 * was tampered with. A gap of any other reason stays, as the file is to show it.
 * @throws Error once one was removed
 */
async function* withoutLoss(platform: Platform, trail: KeptTrail): KeptTrail['pages'] {
  let last = trail.checkpoint?.lastId ?? '0';
  for await (const page of trail.pages) {
    const isGap = page[0]?.id !== String(BigInt(last) + 1n);
    if (isGap && (await isShortened(platform, trail))) {
      throw new Error('Entries were removed because of their age while the trail was downloaded.');
    }
    yield page;
    last = page.at(-1)?.id ?? last;
  }
}
