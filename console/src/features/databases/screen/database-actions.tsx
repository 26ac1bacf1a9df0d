import { adoptionRoutes } from '@apotheca/contract/adoptions';
import { backupRoutes } from '@apotheca/contract/backups';
import { Archive, ArchiveRestore, CalendarClock, CircleParking, Import, Scale } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/button/button.tsx';
import { MenuButton } from '../../../components/popup/menu-button.tsx';
import { useRefusal } from '../../../rights/rights.tsx';
import type { DatabaseDialog } from '../database-dialog.ts';

type Opens = { onOpen: (dialog: DatabaseDialog) => void };

/** Actions on all databases, or on one that need not exist yet (SPEC §2.13). What is needed rarely stands in the menu. */
export function DatabaseActions({ onOpen }: Opens) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  return (
    <>
      <MenuButton
        label={t('databases.more')}
        items={[
          {
            label: t('databases.parking.title'),
            icon: CircleParking,
            onSelect: () => onOpen({ kind: 'parked' }),
          },
          {
            label: t('databases.reconciliation.open'),
            icon: Scale,
            onSelect: () => onOpen({ kind: 'reconciliation' }),
          },
          {
            label: t('databases.adoption.title'),
            icon: Import,
            refusal: refusal(adoptionRoutes.adopt),
            onSelect: () => onOpen({ kind: 'adopt' }),
          },
        ]}
      />
      <Button variant="secondary" icon={CalendarClock} onClick={() => onOpen({ kind: 'schedules' })}>
        {t('databases.schedules.title')}
      </Button>
      <Button variant="secondary" icon={Archive} onClick={() => onOpen({ kind: 'backups' })}>
        {t('databases.backups.title')}
      </Button>
      <RestoreDatabaseButton onOpen={onOpen} />
    </>
  );
}

/** Makes a database of a backup. */
export function RestoreDatabaseButton({ onOpen }: Opens) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  return (
    <Button icon={ArchiveRestore} refusal={refusal(backupRoutes.restore)} onClick={() => onOpen({ kind: 'restore' })}>
      {t('databases.restore.title')}
    </Button>
  );
}
