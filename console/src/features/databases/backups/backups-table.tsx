import type { Backup } from '@apotheca/contract/backups';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/http/answer-errors.ts';
import { Button } from '../../../components/button/button.tsx';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { useLastingDialog } from '../../../components/dialog/use-lasting-dialog.ts';
import { backupColumns } from './backup-columns.tsx';
import { FailingCopies } from './backup-copies.tsx';
import { BackupRowActions } from './backup-row-actions.tsx';
import { DeleteBackupDialog } from './delete-backup-dialog.tsx';
import { ProveBackupDialog } from './prove-backup-dialog.tsx';
import { useBackupFilter } from './use-backup-filter.tsx';
import { useBackupPages } from './use-backup-pages.ts';

/** Four icon buttons of 30 px and the cell's padding. */
const ACTIONS_WIDTH = 138;

const DIALOGS = { delete: DeleteBackupDialog, prove: ProveBackupDialog };

type Open = { kind: 'none' } | { kind: keyof typeof DIALOGS; backup: Backup };

const idOf = (backup: Backup) => backup.id;

interface BackupsTableProps {
  /** The database of the backups; absent: all databases. */
  databaseName?: string;
  onRestore: (backup: Backup) => void;
}

/** The backups, newest first, with buttons for each; those of all databases a page at a time. */
export function BackupsTable({ databaseName, onRestore }: BackupsTableProps) {
  const { t } = useTranslation();
  const filter = useBackupFilter();
  const { query, backups, isPage, narrowing, goOlder, goNewer } = useBackupPages(databaseName, filter.search);
  const [open, setOpen] = useState<Open>({ kind: 'none' });
  const { key, dialog, show } = useLastingDialog(open);
  const ofOne = databaseName !== undefined;
  const hasCopies = useEver(backups?.some(({ copies }) => copies.length > 0));
  const hasProofs = useEver(backups?.some(({ proof }) => proof !== null));
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
  const empty =
    filter.search && !goNewer
      ? { emptyText: t('databases.backups.noMatch'), emptyHint: undefined, emptyAction: filter.clear }
      : {
          emptyText: t(`databases.backups.${goNewer ? 'pages.areOldest' : ofOne ? 'emptyOfOne' : 'empty'}`),
          emptyHint: goNewer ? undefined : t('databases.backups.emptyHint'),
        };
  const Dialog = dialog.kind !== 'none' && DIALOGS[dialog.kind];
  return (
    <>
      <DataTable
        name="backups"
        label={t('databases.backups.title')}
        columns={columns}
        rows={backups}
        isLoading={query.isFetching && !backups}
        isFetching={query.isFetching}
        error={query.error && errorText(query.error)}
        onRetry={query.refetch}
        {...empty}
        isPage={isPage}
        narrowing={narrowing}
        rowKey={idOf}
        // Those of one database all have its name.
        toolbar={ofOne ? undefined : filter.field}
        notice={backups && <FailingCopies backups={backups} isPage={isPage} />}
        rowActions={rowActions}
        actionsWidth={ACTIONS_WIDTH}
        pages={isPage && <Pages {...{ goOlder, goNewer, backups, query }} />}
      />
      {Dialog && <Dialog key={key} show={show} backup={dialog.backup} onClose={() => setOpen({ kind: 'none' })} />}
    </>
  );
}

/** Whether something has been so once: a column that came and went with page and filter would move the others. */
function useEver(isSo = false): boolean {
  const [ever, setEver] = useState(isSo);
  if (isSo && !ever) setEver(true);
  return ever || isSo;
}

type PagesProps = Pick<ReturnType<typeof useBackupPages>, 'goOlder' | 'goNewer' | 'backups' | 'query'>;

/** The way to older backups and back. */
function Pages({ goOlder, goNewer, backups, query: { currentData, error, isFetching } }: PagesProps) {
  const { t } = useTranslation();
  const isLoading = isFetching && !currentData;
  const noOlder = error && !backups ? errorText(error) : t('databases.backups.pages.areOldest');
  // Where there is no further page, the button that was clicked says so: if it went, it would take the focus with it.
  return (
    <nav className="data-table-pages" aria-label={t('databases.backups.pages.label')}>
      <Button
        variant="secondary"
        refusal={goNewer ? undefined : t('databases.backups.pages.areNewest')}
        onClick={goNewer}
      >
        {t('databases.backups.pages.newer')}
      </Button>
      <Button
        variant="secondary"
        loading={isLoading}
        refusal={isLoading || goOlder ? undefined : noOlder}
        onClick={goOlder}
      >
        {t('databases.backups.pages.older')}
      </Button>
    </nav>
  );
}
