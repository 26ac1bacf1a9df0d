import { adoptionRoutes } from '@apotheca/contract/adoptions';
import { backupRoutes } from '@apotheca/contract/backups';
import { Archive, ArchiveRestore, CalendarClock, CircleParking, Import, Scale } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/button/button.tsx';
import { useRefusal } from '../../../rights/rights.tsx';
import type { DatabaseDialog } from '../database-dialog.ts';

/** Actions on all databases, or on one that need not exist yet (SPEC §2.13). */
export function DatabaseActions({ onOpen }: { onOpen: (dialog: DatabaseDialog) => void }) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  return (
    <>
      <Button variant="secondary" icon={Scale} onClick={() => onOpen({ kind: 'reconciliation' })}>
        {t('databases.reconciliation.open')}
      </Button>
      <Button variant="secondary" icon={CalendarClock} onClick={() => onOpen({ kind: 'schedules' })}>
        {t('databases.schedules.title')}
      </Button>
      <Button variant="secondary" icon={Archive} onClick={() => onOpen({ kind: 'backups' })}>
        {t('databases.backups.title')}
      </Button>
      <Button variant="secondary" icon={CircleParking} onClick={() => onOpen({ kind: 'parked' })}>
        {t('databases.parking.title')}
      </Button>
      <Button
        variant="secondary"
        icon={Import}
        refusal={refusal(adoptionRoutes.adopt)}
        onClick={() => onOpen({ kind: 'adopt' })}
      >
        {t('databases.adoption.title')}
      </Button>
      <Button icon={ArchiveRestore} refusal={refusal(backupRoutes.restore)} onClick={() => onOpen({ kind: 'restore' })}>
        {t('databases.restore.title')}
      </Button>
    </>
  );
}
