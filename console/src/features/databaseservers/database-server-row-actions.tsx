import { type DatabaseServer, databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { Activity, CirclePlay, CircleSlash, History, Pencil, Trash2, Waypoints } from 'lucide-react';
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
  const { name, state, isHome } = server;
  const action = (kind: Exclude<DatabaseServerDialog['kind'], 'none' | 'create'>) => ({
    label: t(`databaseServers.actions.${kind}`, { name }),
    ...(kind !== 'history' && { refusal: refusal(databaseServerRoutes[kind]) }),
    onSelect: () => onOpen({ kind, server }),
  });
  return (
    <RowActions
      name={name}
      actions={[
        { ...action('check'), icon: Activity },
        { ...action('edit'), icon: Pencil },
        ...(state === 'active' ? [{ ...action('drain'), icon: Waypoints, inMenu: true }] : []),
        ...(state === 'active' ? [] : [{ ...action('activate'), icon: CirclePlay, inMenu: true }]),
        ...(isHome || state === 'retired' ? [] : [{ ...action('retire'), icon: CircleSlash, inMenu: true }]),
        { ...action('history'), icon: History, inMenu: true },
        ...(isHome ? [] : [{ ...action('delete'), icon: Trash2, inMenu: true, danger: true }]),
      ]}
    />
  );
}
