import { anonymizedCloneRoutes } from '@apotheca/contract/anonymized-clones';
import { backupRoutes } from '@apotheca/contract/backups';
import { type Database, databaseRoutes } from '@apotheca/contract/databases';
import { momentRoutes } from '@apotheca/contract/moments';
import {
  Archive,
  ArchiveRestore,
  Copy,
  Ellipsis,
  Eye,
  History,
  Pencil,
  RefreshCw,
  ScrollText,
  Trash2,
  VenetianMask,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../components/button/button.tsx';
import { MenuButton } from '../../../components/popup/menu-button.tsx';
import { useRefusal } from '../../../rights/rights.tsx';
import type { DatabaseDialog } from '../database-dialog.ts';

interface DatabaseRowActionsProps {
  database: Database;
  onOpen: (dialog: DatabaseDialog) => void;
}

/** The buttons of one database in the list (SPEC §2.13). */
export function DatabaseRowActions({ database, onOpen }: DatabaseRowActionsProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const name = database.databaseName;
  const open = (kind: Extract<DatabaseDialog, { database: Database }>['kind']) => () => onOpen({ kind, database });
  const restore = () => onOpen({ kind: 'restore', databaseName: name });
  const refresh = {
    label: t('databases.actions.refresh', { name }),
    icon: RefreshCw,
    refusal: refusal(anonymizedCloneRoutes.refresh),
    onSelect: open('refresh'),
  };
  const cloneAnonymized = {
    label: t('databases.actions.cloneAnonymized', { name }),
    icon: VenetianMask,
    refusal: refusal(anonymizedCloneRoutes.cloneAnonymized),
    onSelect: open('clone-anonymized'),
  };
  return (
    <>
      <IconButton icon={Eye} label={t('databases.actions.view', { name })} onClick={open('view')} />
      <IconButton
        icon={Pencil}
        label={t('databases.actions.rename', { name })}
        refusal={refusal(databaseRoutes.rename)}
        onClick={open('rename')}
      />
      <IconButton
        icon={Archive}
        label={t('databases.actions.backup', { name })}
        refusal={refusal(backupRoutes.create)}
        onClick={open('backup')}
      />
      <IconButton
        icon={Copy}
        label={t('databases.actions.clone', { name })}
        refusal={refusal(databaseRoutes.copy)}
        onClick={open('clone')}
      />
      <MenuButton
        icon={Ellipsis}
        label={t('databases.actions.more', { name })}
        items={[
          cloneAnonymized,
          ...(database.refreshedOnUtc === null ? [] : [refresh]),
          {
            label: t('databases.actions.restore', { name }),
            icon: ArchiveRestore,
            refusal: refusal(backupRoutes.restore),
            onSelect: restore,
          },
          {
            label: t('databases.actions.moment', { name }),
            icon: History,
            refusal: refusal(momentRoutes.restore),
            onSelect: open('moment'),
          },
          { label: t('databases.actions.history', { name }), icon: ScrollText, onSelect: open('history') },
          {
            label: t('databases.actions.delete', { name }),
            icon: Trash2,
            danger: true,
            refusal: refusal(databaseRoutes.delete),
            onSelect: open('delete'),
          },
        ]}
      />
    </>
  );
}
