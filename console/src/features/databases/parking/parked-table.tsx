import type { ParkedDatabase } from '@apotheca/contract/parked-databases';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useListParkedDatabasesQuery } from '../../../api/parked-databases.ts';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { useLastingDialog } from '../../../components/dialog/use-lasting-dialog.ts';
import { KEPT_FRESH } from '../../../lists/list-freshness.ts';
import { listProps } from '../../../lists/list-props.ts';
import { parkedColumns } from './parked-columns.tsx';
import { ParkedRowActions } from './parked-row-actions.tsx';
import { PutBackDatabaseDialog } from './put-back-database-dialog.tsx';
import { RemoveParkedDialog } from './remove-parked-dialog.tsx';

/** Two icon buttons of 30 px and the cell's padding. */
const ACTIONS_WIDTH = 80;

const idOf = (parked: ParkedDatabase) => parked.id;

const DIALOGS = { putBack: PutBackDatabaseDialog, remove: RemoveParkedDialog };

type Open = { kind: 'none' } | { kind: keyof typeof DIALOGS; parked: ParkedDatabase };

/** The parked databases, newest first, with buttons for each. */
export function ParkedTable() {
  const { t } = useTranslation();
  const query = useListParkedDatabasesQuery(undefined, { refetchOnMountOrArgChange: true, ...KEPT_FRESH });
  const [open, setOpen] = useState<Open>({ kind: 'none' });
  const { key, dialog, show } = useLastingDialog(open);
  const columns = useMemo(() => parkedColumns(t), [t]);
  const rowActions = useCallback(
    (parked: ParkedDatabase) => <ParkedRowActions parked={parked} onOpen={(kind) => setOpen({ kind, parked })} />,
    [],
  );
  const Dialog = dialog.kind !== 'none' && DIALOGS[dialog.kind];
  return (
    <>
      <DataTable
        name="parked-databases"
        label={t('databases.parking.title')}
        columns={columns}
        {...listProps(query)}
        rowKey={idOf}
        emptyText={t('databases.parking.empty')}
        emptyHint={t('databases.parking.emptyHint')}
        rowActions={rowActions}
        actionsWidth={ACTIONS_WIDTH}
      />
      {Dialog && <Dialog key={key} show={show} parked={dialog.parked} onClose={() => setOpen({ kind: 'none' })} />}
    </>
  );
}
