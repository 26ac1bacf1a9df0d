import type { ParkedDatabase } from '@apotheca/contract/parked-databases';
import { useTranslation } from 'react-i18next';
import { putBackDatabase } from '../../../api/parked-databases.ts';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { useFailure } from '../../../forms/use-failure.ts';
import { useOperation } from '../../../operations/use-operation.tsx';

interface PutBackDatabaseDialogProps {
  show: boolean;
  parked: ParkedDatabase;
  onClose: () => void;
}

/** Puts a parked database back, after saying what that does. */
export function PutBackDatabaseDialog({ show, parked, onClose }: PutBackDatabaseDialogProps) {
  const { t } = useTranslation();
  const { failure, fail } = useFailure();
  const { start, isBusy, progress } = useOperation(putBackDatabase, { onRefused: fail, onClose });
  const { id, databaseName, tenantCode, reason, goesBackTo } = parked;
  const what = t(`databases.parking.puttingBack.what.${reason}`, { name: databaseName, code: tenantCode ?? '' });
  const move = goesBackTo && t('databases.parking.puttingBack.move', { server: goesBackTo });
  return (
    <ConfirmDialog
      show={show}
      title={t('databases.parking.puttingBack.title')}
      message={move ? `${what} ${move}` : what}
      confirmLabel={t('databases.parking.puttingBack.confirm', { name: databaseName })}
      variant="primary"
      busy={isBusy}
      failure={failure}
      progress={progress}
      onConfirm={() => start({ id })}
      onCancel={onClose}
    />
  );
}
