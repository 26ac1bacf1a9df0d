import type { AnonymizationReport } from '@apotheca/contract/anonymization';
import type { Purge, PurgePlan, PurgeResult } from '@apotheca/contract/purges';
import { TENANT_TABLE_NAMES, type TenantTableName } from '@apotheca/contract/tenant-tables';
import { useState } from 'react';
import { useLastingDialog } from '../../../../components/dialog/use-lasting-dialog.ts';
import { useTicks } from '../checklist/use-ticks.ts';
import { usePurgePlan } from './use-purge-plan.ts';

/** The result of a purge, with its plan: the plan holds the reasons. */
export interface Purged {
  plan: PurgePlan;
  result: PurgeResult;
}

/** What was put back, with the server's message. */
export interface PutBack {
  /** The id of the purge. */
  operationId: string;
  tables: readonly string[];
  message: string;
}

/** The open confirmation of an operation on the data. */
type DataDialog =
  | { kind: 'none' | 'anonymize' }
  | { kind: 'purge'; tables: readonly TenantTableName[] }
  | { kind: 'put-back'; purge: Purge };

/** State of the tab Delete Transaction Data & Reseed: its kind of operation, the ticked tables, and results. */
export function useDataTab(databaseName: string) {
  const [kind, setKind] = useState<'purge' | 'anonymize'>('purge');
  const ticks = useTicks(TENANT_TABLE_NAMES);
  const planQuery = usePurgePlan(databaseName, ticks.names);
  const [dialog, setDialog] = useState<DataDialog>({ kind: 'none' });
  const [purged, setPurged] = useState<Purged>();
  const [report, setReport] = useState<AnonymizationReport>();
  const [putBack, setPutBack] = useState<string>();

  return {
    ...{ kind, setKind, ticks, planQuery, purged, report, putBack },
    dialog: useLastingDialog(dialog),
    open: setDialog,
    close: () => setDialog({ kind: 'none' }),
    /** @param tables that it was asked for: others may have been ticked while it went on in the background */
    handlePurged(outcome: Purged, tables: readonly TenantTableName[]) {
      setPurged(outcome);
      setPutBack(undefined);
      ticks.tick(tables, false);
    },
    handleAnonymized: setReport,
    handlePutBack(outcome: PutBack) {
      setPutBack(outcome.message);
      setPurged((before) => before && withoutPutBack(before, outcome));
    },
  };
}

/** The results of a purge without the tables that were put back; undefined when all were. */
function withoutPutBack(purged: Purged, { operationId, tables }: PutBack): Purged | undefined {
  const { result } = purged;
  if (result.operationId !== operationId) return purged;
  const deletedTables = result.deletedTables.filter((name) => !tables.includes(name));
  return deletedTables.length === 0 ? undefined : { ...purged, result: { ...result, deletedTables } };
}

export type DataTabState = ReturnType<typeof useDataTab>;
