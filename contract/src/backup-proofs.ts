import { backup } from './backups.ts';
import { byId } from './fields.ts';
import { route } from './route.ts';

export const backupProofRoutes = {
  prove: route({
    feature: 'databases',
    summary: 'Prove that a backup can be restored: into a database that nobody sees, compared, timed and dropped',
    base: 'api',
    method: 'POST',
    path: '/managedatabase/provebackup',
    permission: 'databases.restore',
    operation: true,
    query: byId,
    result: backup,
    errors: ['store-away'],
  }),
};
