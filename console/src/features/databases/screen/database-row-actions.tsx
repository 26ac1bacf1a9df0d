import { anonymizedCloneRoutes } from '@apotheca/contract/anonymized-clones';
import { backupRoutes } from '@apotheca/contract/backups';
import { type Database, databaseRoutes } from '@apotheca/contract/databases';
import { momentRoutes } from '@apotheca/contract/moments';
import { moveRoutes } from '@apotheca/contract/moves';
import {
  Archive,
  ArchiveRestore,
  Copy,
  Eye,
  History,
  Pencil,
  RefreshCw,
  ScrollText,
  Trash2,
  Truck,
  VenetianMask,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type RowAction, RowActions } from '../../../components/data-table/row-actions.tsx';
import { useRefusal } from '../../../rights/rights.tsx';
import type { DatabaseDialog } from '../database-dialog.ts';

interface DatabaseRowActionsProps {
  database: Database;
  onOpen: (dialog: DatabaseDialog) => void;
}

/** The actions of one database in the list (SPEC §2.13). */
export function DatabaseRowActions({ database, onOpen }: DatabaseRowActionsProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const name = database.databaseName;
  const open = (kind: Extract<DatabaseDialog, { database: Database }>['kind']) => () => onOpen({ kind, database });
  const restore = () => onOpen({ kind: 'restore', databaseName: name });
  const refresh: RowAction = {
    label: t('databases.actions.refresh', { name }),
    icon: RefreshCw,
    inMenu: true,
    refusal: refusal(anonymizedCloneRoutes.refresh, databaseRoutes.copy),
    onSelect: open('refresh'),
  };
  return (
    <RowActions
      name={name}
      actions={[
        { icon: Eye, label: t('databases.actions.view', { name }), onSelect: open('view') },
        {
          icon: Pencil,
          label: t('databases.actions.rename', { name }),
          refusal: refusal(databaseRoutes.rename),
          onSelect: open('rename'),
        },
        {
          icon: Archive,
          label: t('databases.actions.backup', { name }),
          refusal: refusal(backupRoutes.create),
          onSelect: open('backup'),
        },
        {
          icon: Copy,
          label: t('databases.actions.clone', { name }),
          refusal: refusal(databaseRoutes.copy),
          onSelect: open('clone'),
        },
        {
          label: t('databases.actions.cloneAnonymized', { name }),
          icon: VenetianMask,
          inMenu: true,
          refusal: refusal(anonymizedCloneRoutes.cloneAnonymized, databaseRoutes.copy),
          onSelect: open('clone-anonymized'),
        },
        ...(database.refreshedOnUtc === null ? [] : [refresh]),
        {
          label: t('databases.actions.restore', { name }),
          icon: ArchiveRestore,
          inMenu: true,
          refusal: refusal(backupRoutes.restore),
          onSelect: restore,
        },
        {
          label: t('databases.actions.moment', { name }),
          icon: History,
          inMenu: true,
          refusal: refusal(momentRoutes.restore),
          onSelect: open('moment'),
        },
        {
          label: t('databases.actions.move', { name }),
          icon: Truck,
          inMenu: true,
          refusal: refusal(moveRoutes.move),
          onSelect: open('move'),
        },
        { label: t('databases.actions.history', { name }), icon: ScrollText, inMenu: true, onSelect: open('history') },
        {
          label: t('databases.actions.delete', { name }),
          icon: Trash2,
          inMenu: true,
          danger: true,
          refusal: refusal(databaseRoutes.delete),
          onSelect: open('delete'),
        },
      ]}
    />
  );
}
