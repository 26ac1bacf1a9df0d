import { z } from 'zod';
import type { PermissionIdentifier } from './permission-catalogue.ts';
import { route } from './route.ts';

/**
 * What a new installation, or a new administrator, may not have done yet, and the permissions to do it; none: everybody has them.
 * The first that holds is shown.
 */
export const HINTS = {
  'no-tenant': ['tenants.write'],
  'no-schedule': ['databases.delete', 'databases.write'],
  'no-second-factor': [],
  'one-administrator': ['permissions.write'],
  'no-alerts': [],
} as const satisfies Record<string, readonly PermissionIdentifier[]>;
export type Hint = keyof typeof HINTS;
export const HINT_NAMES = Object.keys(HINTS) as [Hint, ...Hint[]];

/** The next useful thing for the signed-in person; null: there is none, or they want to see none. */
export const shownHint = z.object({ hint: z.enum(HINT_NAMES).nullable() });
export type ShownHint = z.infer<typeof shownHint>;

export const hintRoutes = {
  get: route({
    feature: 'account',
    summary: 'The next useful thing that the signed-in person has not done yet',
    base: 'api',
    method: 'GET',
    path: '/account/hint',
    permission: 'signed-in',
    result: shownHint,
  }),
  dismiss: route({
    feature: 'account',
    summary: 'Never show a hint to the signed-in person again; answers the one that comes next',
    base: 'api',
    method: 'PUT',
    path: '/account/hint',
    permission: 'signed-in',
    body: z.object({ hint: z.enum(HINT_NAMES, 'There is no such hint') }),
    result: shownHint,
  }),
};
