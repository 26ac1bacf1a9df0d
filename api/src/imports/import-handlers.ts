import type { Readable } from 'node:stream';
import type { ImportPlan, ImportReport } from '@apotheca/contract/imports';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import type { OperationKind } from '../operations/operation-kind.ts';
import type { ImportSubject } from './import-subject.ts';
import { getImportReport, planImport, startImport } from './imports.service.ts';

/** What answers the calls of contract/imports `importRoutes` for a subject. */
export const importHandlers = (
  context: Context,
  subject: ImportSubject,
  kind: OperationKind<{ importId: string }>,
) => ({
  plan: async ({ actor, upload }: { actor: Actor; upload: Readable }): Promise<{ result: ImportPlan }> => ({
    result: await planImport(subject, context, actor, upload),
  }),
  start: async ({ query, actor }: { query: { id: string; plan: string }; actor: Actor }) => ({
    operationId: await startImport(subject, kind, context, actor, query),
  }),
  report: async ({ query }: { query: { id?: string | undefined } }): Promise<{ result: ImportReport | null }> => ({
    result: await getImportReport(subject, context, query.id),
  }),
});
