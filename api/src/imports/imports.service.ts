import type { Readable } from 'node:stream';
import {
  IMPORT_RESULTS,
  type ImportCounts,
  type ImportPlan,
  type ImportReport,
  type ImportResult,
} from '@apotheca/contract/imports';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import type { Platform } from '../db/platform.ts';
import { AppError } from '../errors.ts';
import type { OperationKind } from '../operations/operation-kind.ts';
import { startOperation } from '../operations/operations.service.ts';
import { refuseChangedPlan } from '../plan.ts';
import { counted, inWords } from '../wording.ts';
import { readAll, readCsv } from './csv-file.ts';
import { planOf, planRows } from './import-plan.ts';
import type { ImportSubject } from './import-subject.ts';
import {
  deletePlanOf,
  deletePlansBefore,
  findBegun,
  findImport,
  type ImportRow,
  insertImport,
  listRows,
  replaceRows,
} from './imports.repository.ts';

const PLAN_GONE = 'This plan is gone. Please choose the file again.';

/** How long a file is kept that was planned and never imported, in milliseconds: a day. */
const KEPT = 24 * 60 * 60 * 1000;

/**
 * Reads a file, says what it would do, and keeps both for the call that does it, in place of the caller's plan before.
 * @throws AppError too-large; invalid for a file that cannot be read
 */
export async function planImport(
  subject: ImportSubject,
  context: Context,
  actor: Actor,
  file: Readable,
): Promise<ImportPlan> {
  const rows = await planRows(subject, context, actor, readCsv(await readAll(file), subject.columns));
  const id = await context.platform.transaction().execute(async (trx) => {
    const made = { subject: subject.name, createdBy: ownerOf(actor), createdAt: context.now() };
    await deletePlanOf(trx, made.subject, made.createdBy);
    const importId = await insertImport(trx, made);
    await replaceRows(trx, importId, rows);
    return importId;
  });
  return planOf(id, rows);
}

/** Calls are made by users. */
function ownerOf({ id }: Actor): string {
  if (id === null) throw new AppError('not-allowed');
  return id;
}

/**
 * Starts to write the rows of a file, unless they would do something else than was planned; then the new plan is kept.
 * @param sentPlan digest of the plan
 * @returns the operation's id
 * @throws AppError not-found for a file of somebody else; conflict for one that was imported; plan-changed with the new plan; busy
 */
export async function startImport(
  subject: ImportSubject,
  kind: OperationKind<{ importId: string }>,
  context: Context,
  actor: Actor,
  { id, plan: sentPlan }: { id: string; plan: string },
): Promise<string> {
  const { platform } = context;
  const found = await findImport(platform, id, subject.name);
  if (found?.createdBy !== actor.id) throw noImport(PLAN_GONE);
  if (found.operationId !== null) throw new AppError('conflict', { message: 'This file is imported already.' });
  const rows = await planRows(subject, context, actor, await listRows(platform, id));
  const plan = planOf(id, rows);
  if (plan.digest !== sentPlan) await platform.transaction().execute((trx) => replaceRows(trx, id, rows));
  refuseChangedPlan(sentPlan, plan, 'What this file would do');
  return startOperation(context, actor, kind, { importId: id });
}

/** What an import has done so far, row by row. @param asked its id; absent: the newest one, null where there is none @throws AppError not-found */
export async function getImportReport(
  { name }: ImportSubject,
  { platform }: Context,
  asked: string | undefined,
): Promise<ImportReport | null> {
  const begun = await findBegun(platform, name, asked);
  if (!begun && asked === undefined) return null;
  if (!begun) throw noImport();
  const { id, startedBy, createdAt, state } = begun;
  const rows = await listRows(platform, id);
  return {
    id,
    startedBy,
    startedOnUtc: createdAt.toISOString(),
    state,
    counts: countResults(rows),
    rows: rows.map((row) => {
      const { line, record, changes, reasons } = row;
      return { line, record, changes, reasons, result: resultOf(row) };
    }),
  };
}

/** How many rows of an import came to each result. */
export const countRows = async (platform: Platform, importId: string): Promise<ImportCounts> =>
  countResults(await listRows(platform, importId));

function countResults(rows: readonly ImportRow[]): ImportCounts {
  const results = rows.map(resultOf);
  const count = (result: ImportResult) => results.filter((each) => each === result).length;
  return Object.fromEntries(IMPORT_RESULTS.map((result) => [result, count(result)])) as ImportCounts;
}

function resultOf({ outcome, state }: ImportRow): ImportResult {
  if (outcome === 'same') return 'same';
  if (outcome === 'refused' || state === 'failed') return 'refused';
  if (state !== 'done') return 'waiting';
  return outcome === 'create' ? 'created' : 'changed';
}

/** '12 tenants were created, 3 were changed, 1 row was refused.' */
export function describeCounts({ noun }: ImportSubject, { created, changed, same, refused }: ImportCounts): string {
  const parts = [
    `${counted(created, noun)} created`,
    `${changed} changed`,
    same > 0 && `${same} as they were`,
    refused > 0 && `${counted(refused, 'row')} refused`,
  ];
  return `${inWords(parts.filter((part) => part !== false))}.`;
}

/** Forgets files that nobody went on to import. */
export const forgetOldPlans = ({ platform, now }: Context): Promise<void> =>
  deletePlansBefore(platform, new Date(now().getTime() - KEPT));

/** The refusal of an id that no import has. */
export const noImport = (message = 'There is no such import.'): AppError => new AppError('not-found', { message });
