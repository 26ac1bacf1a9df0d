import type { DatabaseServer } from '@apotheca/contract/databaseservers';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useListDatabasesQuery } from '../../api/databases.ts';
import { MOVE_AWAY } from '../../bulks/bulk-actions.ts';
import { BulkModal } from '../../bulks/bulk-modal.tsx';
import { Button } from '../../components/button/button.tsx';
import { DialogButtons } from '../../components/dialog/dialog-buttons.tsx';
import { Modal } from '../../components/dialog/modal.tsx';
import { FormPlaceholder } from '../../components/form/form-placeholder.tsx';

interface MoveAwayModalProps {
  show: boolean;
  server: DatabaseServer;
  onClose: () => void;
}

/** Moves all databases of a server that is drained to others: shows where each would go, does it, and shows what became of each. */
export function MoveAwayModal({ show, server: { name, databases }, onClose }: MoveAwayModalProps) {
  const { t } = useTranslation();
  const { data, isFetching, isError, refetch } = useListDatabasesQuery(
    { sortColumn: 'datName', sortDirection: 'asc' },
    { refetchOnMountOrArgChange: true },
  );
  const ids = data?.filter(({ serverName }) => serverName === name).map(({ id }) => id);
  // Those that were there at first: afterwards the dialog tells what became of them.
  const [first, setFirst] = useState<readonly string[]>();
  if (ids && !isFetching && !first) setFirst(ids);
  if (first && first.length > 0)
    return <BulkModal {...{ show, onClose }} ids={first} what="databases" action={MOVE_AWAY} />;
  const what = t('bulks.what.databases', { count: databases });
  const buttons = (
    <DialogButtons isBusy={false} closeText={t('bulks.close')}>
      {/* As in the dialog that follows, so that it does not come where Close was. */}
      <Button icon={MOVE_AWAY.icon} disabled>
        {first ? t('bulks.nothing') : t('bulks.deed.move-away', { what })}
      </Button>
    </DialogButtons>
  );
  return (
    <Modal
      {...{ show, onClose }}
      title={t('databaseServers.moveAway.title')}
      subtitle={name}
      size="lg"
      isText
      footer={buttons}
    >
      {first ? (
        <p>{t('databaseServers.moveAway.onlyKept')}</p>
      ) : (
        <FormPlaceholder
          isError={isError}
          loadingText={t('databaseServers.moveAway.loading')}
          failedText={t('databaseServers.moveAway.failed')}
          onRetry={refetch}
        />
      )}
    </Modal>
  );
}
