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
  type LucideIcon,
  Pencil,
  RefreshCw,
  ScrollText,
  Trash2,
  Truck,
  VenetianMask,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type RowAction, RowActions } from '../../../components/data-table/row-actions.tsx';
import { type RefusalOf, useRefusal } from '../../../rights/rights.tsx';
import type { DatabaseDialog } from '../database-dialog.ts';

type Kind = Extract<DatabaseDialog, { database: Database }>['kind'];

interface DatabaseRowActionsProps {
  database: Database;
  onOpen: (dialog: DatabaseDialog) => void;
}

/** The actions of one database in the list (SPEC §2.13). */
export function DatabaseRowActions({ database, onOpen }: DatabaseRowActionsProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const name = database.databaseName;
  const action = (kind: Kind, icon: LucideIcon, label: string, ...calls: Parameters<RefusalOf>): RowAction => ({
    label,
    icon,
    refusal: refusal(...calls),
    onSelect: () => onOpen({ kind, database }),
  });
  const { rename, copy, delete: remove } = databaseRoutes;
  const { cloneAnonymized, refresh } = anonymizedCloneRoutes;
  const buttons = [
    action('view', Eye, t('databases.actions.view', { name })),
    action('rename', Pencil, t('databases.actions.rename', { name }), rename),
    action('backup', Archive, t('databases.actions.backup', { name }), backupRoutes.create),
    action('clone', Copy, t('databases.actions.clone', { name }), copy),
  ];
  const anonymizedClone = action('refresh', RefreshCw, t('databases.actions.refresh', { name }), refresh, copy);
  const items: RowAction[] = [
    action('clone-anonymized', VenetianMask, t('databases.actions.cloneAnonymized', { name }), cloneAnonymized, copy),
    ...(database.refreshedOnUtc === null ? [] : [anonymizedClone]),
    {
      label: t('databases.actions.restore', { name }),
      icon: ArchiveRestore,
      refusal: refusal(backupRoutes.restore),
      onSelect: () => onOpen({ kind: 'restore', databaseName: name }),
    },
    action('moment', History, t('databases.actions.moment', { name }), momentRoutes.restore),
    action('move', Truck, t('databases.actions.move', { name }), moveRoutes.move),
    action('history', ScrollText, t('databases.actions.history', { name })),
    { ...action('delete', Trash2, t('databases.actions.delete', { name }), remove), danger: true },
  ];
  return <RowActions name={name} actions={[...buttons, ...items.map((item) => ({ ...item, inMenu: true }))]} />;
}
