import { type ParkedDatabase, parkedDatabaseRoutes } from '@apotheca/contract/parked-databases';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { Trash2, Undo2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { RowActions } from '../../../components/data-table/row-actions.tsx';
import { localMinute } from '../../../lib/moment.ts';
import { useRefusal } from '../../../rights/rights.tsx';

interface ParkedRowActionsProps {
  parked: ParkedDatabase;
  onOpen: (dialog: 'putBack' | 'remove') => void;
}

/** What can be done with one parked database. Several may have had the same name. */
export function ParkedRowActions({ parked, onOpen }: ParkedRowActionsProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  // A tenant that was deleted with its database comes back, or goes, with it.
  const hasTenant = parked.reason === 'tenant-deleted';
  const what = { name: parked.databaseName, moment: localMinute(new Date(parked.parkedOnUtc)) };
  return (
    <RowActions
      name={parked.databaseName}
      actions={[
        {
          icon: Undo2,
          label: t('databases.parking.putBack', what),
          refusal: refusal(parkedDatabaseRoutes.putBack, ...(hasTenant ? [tenantRoutes.create] : [])),
          onSelect: () => onOpen('putBack'),
        },
        {
          icon: Trash2,
          danger: true,
          label: t('databases.parking.remove', what),
          refusal: refusal(parkedDatabaseRoutes.removeParked, ...(hasTenant ? [tenantRoutes.delete] : [])),
          onSelect: () => onOpen('remove'),
        },
      ]}
    />
  );
}
