import { z } from 'zod';
import { bulkRoutes } from './bulks.ts';
import { id } from './text.ts';

const ROLE_MISSING = 'Access Role is required';

/** What is done with many users. */
export const userBulkRoutes = bulkRoutes({
  feature: 'users',
  noun: 'users',
  path: '/users',
  permission: 'users.write',
  fresh: true,
  asked: {
    action: z.enum(['activate', 'deactivate', 'assign-role']),
    /** The new role, for `assign-role`. */
    roleId: id(ROLE_MISSING).optional(),
  },
  needs: { 'assign-role': { field: 'roleId', message: ROLE_MISSING } },
});
