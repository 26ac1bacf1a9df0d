import { backupScheduleRoutes } from '@apotheca/contract/backup-schedules';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../../context.ts';
import { serveRoutes } from '../../../../plugins/contract-route.ts';
import { requirePermission } from '../../../auth/callers.service.ts';
import { getBackupSchedule, listScheduledDatabases, setBackupSchedule } from './backup-schedules.service.ts';

/** A schedule makes backups, beside deleting those that it keeps no longer. */
const ALSO_NEEDED = 'databases.write';

export function registerBackupSchedules(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, backupScheduleRoutes, {
    get: async ({ query }) => ({ result: await getBackupSchedule(context, query.databaseName) }),
    set: async ({ query, body, actor, caller }) => {
      await requirePermission(context, caller, actor, ALSO_NEEDED);
      const { version, updatedBy: _, ...schedule } = body;
      const result = await setBackupSchedule(context, actor, { ...query, schedule, sent: version });
      return { result, message: 'Success! The backup schedule has been saved.' };
    },
    list: listScheduledDatabases,
  });
}
