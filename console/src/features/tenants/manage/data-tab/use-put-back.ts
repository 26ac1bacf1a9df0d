import { putTablesBack } from '../../../../api/tenant-data.ts';
import { useOperation } from '../../../../operations/use-operation.tsx';
import type { PutBack } from './use-data-tab.ts';

interface PutBackOptions {
  databaseName: string;
  /** The id of the purge. */
  operationId: string;
  onPutBack: (outcome: PutBack) => void;
  onClose: () => void;
}

/** Puts tables of a purge back; `refusal` says why nothing was put back. */
export function usePutBack({ databaseName, operationId, onPutBack, onClose }: PutBackOptions) {
  const { start, ...operation } = useOperation(putTablesBack, {
    onDone: ({ message }, { body }) => onPutBack({ operationId, tables: body, message }),
    onClose,
  });
  const putBack = (tables: string[]) => start({ query: { databaseName, operationId }, body: tables });
  return { ...operation, putBack };
}
