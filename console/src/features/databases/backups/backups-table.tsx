import { type Backup, backupRoutes } from '@apotheca/contract/backups';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useListBackupsQuery } from '../../../api/backups.ts';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { useLastingDialog } from '../../../components/dialog/use-lasting-dialog.ts';
import { KEPT_FRESH } from '../../../lists/list-freshness.ts';
import { listProps } from '../../../lists/list-props.ts';
import { usePolling } from '../../../rights/use-polling.ts';
import { backupColumns } from './backup-columns.tsx';
import { FailingCopies } from './backup-copies.tsx';
import { BackupRowActions } from './backup-row-actions.tsx';
import { DeleteBackupDialog } from './delete-backup-dialog.tsx';
import { ProveBackupDialog } from './prove-backup-dialog.tsx';
import { useBackupFilter } from './use-backup-filter.tsx';

/** Four icon buttons of 30 px and the cell's padding. */
const ACTIONS_WIDTH = 138;

/** How often it is looked what became of copies that are on their way, in milliseconds. */
const POLL = 5_000;

const isOnItsWay = ({ copies }: Backup) => copies.some(({ state }) => state !== 'copied');

const DIALOGS = { delete: DeleteBackupDialog, prove: ProveBackupDialog };

type Open = { kind: 'none' } | { kind: keyof typeof DIALOGS; backup: Backup };

const idOf = (backup: Backup) => backup.id;

interface BackupsTableProps {
  /** The database of the backups; absent: all databases. */
  databaseName?: string;
  onRestore: (backup: Backup) => void;
}

/** The backups, newest first, with buttons for each. */
export function BackupsTable({ databaseName, onRestore }: BackupsTableProps) {
  const { t } = useTranslation();
  const [pollingInterval, setPollingInterval] = useState(0);
  const { paced, heed } = usePolling(backupRoutes.list);
  const query = useListBackupsQuery(
    { databaseName },
    {
      refetchOnMountOrArgChange: true,
      ...KEPT_FRESH,
      pollingInterval: paced(pollingInterval),
      skipPollingIfUnfocused: true,
    },
  );
  heed(query.error);
  const list = listProps(query);
  const wanted = query.data?.some(isOnItsWay) ? POLL : 0;
  if (pollingInterval !== wanted) setPollingInterval(wanted);
  const [open, setOpen] = useState<Open>({ kind: 'none' });
  const { key, dialog, show } = useLastingDialog(open);
  const ofOne = databaseName !== undefined;
  const hasCopies = query.data?.some(({ copies }) => copies.length > 0) ?? false;
  const hasProofs = query.data?.some(({ proof }) => proof !== null) ?? false;
  const columns = useMemo(() => backupColumns(t, { ofOne, hasCopies, hasProofs }), [t, ofOne, hasCopies, hasProofs]);
  const rowActions = useCallback(
    (backup: Backup) => (
      <BackupRowActions
        backup={backup}
        onRestore={onRestore}
        onProve={() => setOpen({ kind: 'prove', backup })}
        onDelete={() => setOpen({ kind: 'delete', backup })}
      />
    ),
    [onRestore],
  );
  const filter = useBackupFilter(list.rows);
  const empty = filter.text
    ? { emptyText: t('databases.backups.noMatch'), emptyHint: undefined, emptyAction: filter.clear }
    : {
        emptyText: t(ofOne ? 'databases.backups.emptyOfOne' : 'databases.backups.empty'),
        emptyHint: t('databases.backups.emptyHint'),
      };
  const Dialog = dialog.kind !== 'none' && DIALOGS[dialog.kind];
  return (
    <>
      <DataTable
        name="backups"
        label={t('databases.backups.title')}
        columns={columns}
        {...list}
        {...empty}
        rows={filter.found}
        total={list.rows?.length}
        narrowing={filter.text}
        rowKey={idOf}
        // Those of one database all have its name.
        toolbar={ofOne ? undefined : filter.field}
        notice={list.rows && <FailingCopies backups={list.rows} />}
        rowActions={rowActions}
        actionsWidth={ACTIONS_WIDTH}
      />
      {Dialog && <Dialog key={key} show={show} backup={dialog.backup} onClose={() => setOpen({ kind: 'none' })} />}
    </>
  );
}
