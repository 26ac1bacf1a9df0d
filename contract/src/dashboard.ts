import { z } from 'zod';
import { route } from './route.ts';

const count = z.number().int().nonnegative();

export const dashboardRoutes = {
  getCounts: route({
    feature: 'dashboard',
    summary: 'How many users, tenants and databases there are',
    base: 'api',
    method: 'GET',
    path: '/dashboard/getcounts',
    permission: 'dashboard.read',
    result: z.array(z.object({ users: count, tenants: count, databases: count })),
  }),
};
