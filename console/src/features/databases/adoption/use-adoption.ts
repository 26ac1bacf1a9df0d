import type { AdoptedTable, AdoptionPlan, AdoptionReport, TableChoice } from '@apotheca/contract/adoptions';
import { renameDatabaseForm } from '@apotheca/contract/databases';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { useMemo, useState } from 'react';
import { adoptDatabase, usePlanAdoptionQuery } from '../../../api/adoptions.ts';
import { useZodForm } from '../../../components/form/form.tsx';
import { notify } from '../../../components/toast/toast.tsx';
import { useFailure } from '../../../forms/use-failure.ts';
import { useOperation } from '../../../operations/use-operation.tsx';
import { useTakenNames } from '../use-databases.ts';

/**
 * The form of an adoption.
 * @param inspected the plan as the names suggest it; absent: nothing was inspected yet
 * @returns `plan`, with what was chosen since; `report`, once it is adopted
 */
export function useAdoption(inspected: AdoptionPlan | undefined, onClose: () => void) {
  const [choices, setChoices] = useState<readonly TableChoice[]>([]);
  const [report, setReport] = useState<{ message: string; result: AdoptionReport }>();
  const taken = useTakenNames();
  const schema = useMemo(() => renameDatabaseForm(taken), [taken]);
  const form = useZodForm(schema, { defaultValues: { databaseName: '' } });
  const { failure, fail } = useFailure(form);
  const arg = inspected && choices.length > 0 ? { id: inspected.id, tables: [...choices] } : skipToken;
  const chosen = usePlanAdoptionQuery(arg);
  // While another choice is looked at, the last plan stays.
  const plan = chosen.data ?? inspected;
  const { start, isBusy, progress } = useOperation(adoptDatabase, {
    tell: ({ message, result }) => (result?.rejected ? notify.lasting(message) : notify.success(message)),
    onDone: ({ message, result }) => result && setReport({ message, result }),
    onRefused: fail,
    onFinished: () => {},
    onClose,
  });
  const choose = (choice: TableChoice) =>
    setChoices((before) => [
      // A table that is chosen elsewhere goes there.
      ...before.filter(({ table, source }) => table !== choice.table && (source === null || source !== choice.source)),
      choice,
    ]);
  const chooseTable = ({ table }: AdoptedTable, source: string | null) => choose({ table, source, columns: {} });
  const chooseColumn = ({ table, source }: AdoptedTable, column: string, from: string | null) => {
    const columns = choices.find((choice) => choice.table === table)?.columns;
    choose({ table, source, columns: { ...columns, [column]: from } });
  };
  const send = async ({ databaseName }: { databaseName: string }) => {
    if (!plan || chosen.isFetching) return;
    await start({ id: plan.id, tables: [...choices], databaseName, plan: plan.digest });
  };
  return {
    form,
    plan,
    planError: chosen.error,
    isPlanning: chosen.isFetching,
    onRetry: () => void chosen.refetch(),
    chooseTable,
    chooseColumn,
    send,
    isBusy,
    progress,
    failure,
    report,
  };
}
