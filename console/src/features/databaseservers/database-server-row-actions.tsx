import { databaseBulkRoutes } from '@apotheca/contract/database-bulks';
import { type DatabaseServer, databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { Activity, CirclePlay, CircleSlash, History, Pencil, Trash2, Truck, Waypoints } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { RowActions } from '../../components/data-table/row-actions.tsx';
import { useRefusal } from '../../rights/rights.tsx';
import type { DatabaseServerDialog } from './database-server-dialog.ts';

interface DatabaseServerRowActionsProps {
  server: DatabaseServer;
  onOpen: (dialog: DatabaseServerDialog) => void;
}

/** The actions of one database server in the list. The home server is never taken out of use. */
export function DatabaseServerRowActions({ server, onOpen }: DatabaseServerRowActionsProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const { name, state, isHome, databases } = server;
  const action = (kind: Exclude<DatabaseServerDialog['kind'], 'none' | 'create' | 'move-away'>) => ({
    label: t(`databaseServers.actions.${kind}`, { name }),
    ...(kind !== 'history' && { refusal: refusal(databaseServerRoutes[kind]) }),
    onSelect: () => onOpen({ kind, server }),
  });
  const moveAway = {
    label: t('databaseServers.actions.move-away', { name }),
    icon: Truck,
    inMenu: true,
    refusal: refusal(databaseBulkRoutes.plan),
    onSelect: () => onOpen({ kind: 'move-away', server }),
  };
  return (
    <RowActions
      name={name}
      actions={[
        { ...action('check'), icon: Activity },
        { ...action('edit'), icon: Pencil },
        ...(state === 'active' ? [{ ...action('drain'), icon: Waypoints, inMenu: true }] : []),
        ...(state === 'active' ? [] : [{ ...action('activate'), icon: CirclePlay, inMenu: true }]),
        ...(state === 'draining' && databases > 0 ? [moveAway] : []),
        ...(isHome || state === 'retired' ? [] : [{ ...action('retire'), icon: CircleSlash, inMenu: true }]),
        { ...action('history'), icon: History, inMenu: true },
        ...(isHome ? [] : [{ ...action('delete'), icon: Trash2, inMenu: true, danger: true }]),
      ]}
    />
  );
}
