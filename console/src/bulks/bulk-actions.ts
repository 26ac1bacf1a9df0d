import {
  CalendarPlus,
  CirclePause,
  CirclePlay,
  DatabaseBackup,
  DatabaseZap,
  type LucideIcon,
  RefreshCw,
  Truck,
  UserCog,
} from 'lucide-react';
import type { BulkCalls } from '../api/bulks.ts';

/** An action on many records. */
export interface BulkAction {
  name: 'activate' | 'deactivate' | 'extend' | 'assign-role' | 'back-up' | 'upgrade' | 'move-away' | 'sync';
  calls: BulkCalls;
  icon: LucideIcon;
  /** The field that it needs. */
  field?: 'subscriptionEndDate' | 'roleId';
  /** What it closes is said before it is done. */
  danger?: true;
  /** Another list than that of the records offers it. */
  isElsewhere?: true;
}

/** Whose records they are. */
export type Many = 'tenants' | 'databases' | 'users';

const switches = (calls: BulkCalls): BulkAction[] => [
  { name: 'activate', calls, icon: CirclePlay },
  { name: 'deactivate', calls, icon: CirclePause, danger: true },
];
/** Moves the databases of a database server that takes no new ones to others. */
export const MOVE_AWAY: BulkAction = { name: 'move-away', calls: 'databases', icon: Truck, isElsewhere: true };
const backUp: BulkAction = { name: 'back-up', calls: 'databases', icon: DatabaseBackup };

/** What can be done with many records of a list. */
export const BULK_ACTIONS: Record<Many, readonly BulkAction[]> = {
  tenants: [
    ...switches('tenants'),
    { name: 'extend', calls: 'tenants', icon: CalendarPlus, field: 'subscriptionEndDate' },
    backUp,
    { name: 'sync', calls: 'syncs', icon: RefreshCw },
  ],
  databases: [backUp, { name: 'upgrade', calls: 'databases', icon: DatabaseZap }, MOVE_AWAY],
  users: [...switches('users'), { name: 'assign-role', calls: 'users', icon: UserCog, field: 'roleId' }],
};
