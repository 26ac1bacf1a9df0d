import type { AnonymizationReport } from '@apotheca/contract/anonymization';
import type { Purge, PurgePlan, PurgeResult } from '@apotheca/contract/purges';
import { TENANT_TABLE_NAMES } from '@apotheca/contract/tenant-tables';
import { useState } from 'react';
import { useLastingDialog } from '../../../../components/dialog/use-lasting-dialog.ts';
import { useTicks } from '../checklist/use-ticks.ts';
import { usePurgePlan } from './use-purge-plan.ts';

/** What came of a purge, with the plan that it was made by: that gives the reasons. */
export interface Purged {
  plan: PurgePlan;
  result: PurgeResult;
}

/** What was put back, and how the server says it. */
export interface PutBack {
  /** The purge. */
  operationId: string;
  tables: readonly string[];
  message: string;
}

/** What stands before an operation on the data: its confirmation. */
type DataDialog =
  | { kind: 'none' | 'anonymize' }
  | { kind: 'purge'; tables: readonly string[] }
  | { kind: 'put-back'; purge: Purge };

interface DataTabOptions {
  databaseName: string;
  /** The rows of the database are others now. */
  onChanged: () => void;
}

/** State of the tab Delete Transaction Data & Reseed: what it shows, what is ticked, and what came of it. */
export function useDataTab({ databaseName, onChanged }: DataTabOptions) {
  const [task, setTask] = useState<'purge' | 'anonymize'>('purge');
  const ticks = useTicks(TENANT_TABLE_NAMES);
  const planQuery = usePurgePlan(databaseName, ticks.names);
  const [dialog, setDialog] = useState<DataDialog>({ kind: 'none' });
  const [purged, setPurged] = useState<Purged>();
  const [report, setReport] = useState<AnonymizationReport>();
  const [putBack, setPutBack] = useState<string>();

  return {
    ...{ task, setTask, ticks, planQuery, purged, report, putBack },
    dialog: useLastingDialog(dialog),
    open: setDialog,
    close: () => setDialog({ kind: 'none' }),
    handlePurged(outcome: Purged) {
      setPurged(outcome);
      setPutBack(undefined);
      ticks.tick(TENANT_TABLE_NAMES, false);
      onChanged();
    },
    handleAnonymized(outcome: AnonymizationReport) {
      setReport(outcome);
      onChanged();
    },
    handlePutBack(outcome: PutBack) {
      setPutBack(outcome.message);
      setPurged((before) => before && withoutPutBack(before, outcome));
      onChanged();
    },
  };
}

/** What is still true of a purge's results once tables are back; none when all are. */
function withoutPutBack(purged: Purged, { operationId, tables }: PutBack): Purged | undefined {
  const { result } = purged;
  if (result.operationId !== operationId) return purged;
  const deletedTables = result.deletedTables.filter((name) => !tables.includes(name));
  return deletedTables.length === 0 ? undefined : { ...purged, result: { ...result, deletedTables } };
}

export type DataTabState = ReturnType<typeof useDataTab>;
