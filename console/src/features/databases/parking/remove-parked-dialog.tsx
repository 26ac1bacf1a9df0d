import { deleteDatabaseForm } from '@apotheca/contract/databases';
import type { ParkedDatabase } from '@apotheca/contract/parked-databases';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { removeParkedDatabase } from '../../../api/parked-databases.ts';
import { TypeToConfirmDialog } from '../../../components/dialog/type-to-confirm-dialog.tsx';
import { useFailure } from '../../../forms/use-failure.ts';
import { localMinute } from '../../../lib/moment.ts';
import { useOperation } from '../../../operations/use-operation.tsx';
import { selectSession } from '../../../session/session-slice.ts';

interface RemoveParkedDialogProps {
  show: boolean;
  parked: ParkedDatabase;
  onClose: () => void;
}

/** Removes a parked database for good once its name was typed. */
export function RemoveParkedDialog({ show, parked, onClose }: RemoveParkedDialogProps) {
  const { t } = useTranslation();
  const { id: deletedBy } = useSelector(selectSession);
  const { failure, fail } = useFailure();
  const { start, isBusy, ...operation } = useOperation(removeParkedDatabase, { onRefused: fail, onClose });
  const { id, databaseName, parkedOnUtc } = parked;
  const schema = useMemo(() => deleteDatabaseForm(databaseName), [databaseName]);
  return (
    <TypeToConfirmDialog
      {...{ show, schema, failure }}
      progress={operation.progress}
      cancellations={operation.cancellations}
      title={t('databases.parking.removing.title')}
      warning={t('databases.parking.removing.what', {
        name: databaseName,
        moment: localMinute(new Date(parkedOnUtc)),
      })}
      expected={databaseName}
      label={t('databases.deleting.label')}
      confirmLabel={t('databases.parking.removing.confirm', { name: databaseName })}
      busy={isBusy}
      onConfirm={() => start({ id, databaseName, deletedBy })}
      onCancel={onClose}
    />
  );
}
