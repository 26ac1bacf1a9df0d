import { type ParkedDatabase, parkedDatabaseRoutes } from '@apotheca/contract/parked-databases';
import { Trash2, Undo2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../components/button/button.tsx';
import { localMinute } from '../../../lib/expiry.ts';
import { useRefusal } from '../../../rights/rights.tsx';

interface ParkedRowActionsProps {
  parked: ParkedDatabase;
  onOpen: (dialog: 'putBack' | 'remove') => void;
}

/** What can be done with one parked database. Several may have had the same name. */
export function ParkedRowActions({ parked, onOpen }: ParkedRowActionsProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const what = { name: parked.databaseName, moment: localMinute(new Date(parked.parkedOnUtc)) };
  return (
    <>
      <IconButton
        icon={Undo2}
        label={t('databases.parking.putBack', what)}
        refusal={refusal(parkedDatabaseRoutes.putBack)}
        onClick={() => onOpen('putBack')}
      />
      <IconButton
        icon={Trash2}
        variant="danger"
        label={t('databases.parking.remove', what)}
        refusal={refusal(parkedDatabaseRoutes.removeParked)}
        onClick={() => onOpen('remove')}
      />
    </>
  );
}
