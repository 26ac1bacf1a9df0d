import { z } from 'zod';
import { count } from './fields.ts';
import { route } from './route.ts';

export const dashboardRoutes = {
  getCounts: route({
    feature: 'dashboard',
    summary: 'How many users, tenants and databases there are',
    base: 'api',
    method: 'GET',
    path: '/dashboard/getcounts',
    permission: 'dashboard.read',
    result: z.array(z.object({ users: count, tenants: count, databases: count })),
    list: true,
  }),
};
