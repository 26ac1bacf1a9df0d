import { z } from 'zod';
import { createdBy, updatedBy } from './caller-stamp.ts';
import { changedRecord, tooLong } from './fields.ts';
import { route } from './route.ts';
import { id, optionalText, printableName } from './text.ts';
import { USER_LIMITS } from './user-form.ts';
import { sentVersion } from './version.ts';

/** The form of a service account: a user who never signs in and works with API keys only (DECISIONS §13). */
export const serviceAccountForm = z.object({
  userName: printableName(USER_LIMITS.userName, 'Name', 'Name is required'),
  roleId: id('User Role is Required'),
  notes: optionalText(USER_LIMITS.notes, tooLong('Notes', USER_LIMITS.notes)),
});
export type ServiceAccount = z.output<typeof serviceAccountForm>;

export const serviceAccountRoutes = {
  create: route({
    feature: 'users',
    summary: 'Create a service account, which has API keys and no password',
    base: 'api',
    method: 'POST',
    path: '/users/createservice',
    permission: 'users.write',
    keyed: true,
    fresh: true,
    body: serviceAccountForm.extend(createdBy),
    result: changedRecord,
  }),
  edit: route({
    feature: 'users',
    summary: "Change a service account; another role counts for its keys' next calls",
    base: 'api',
    method: 'PUT',
    path: '/users/editservice',
    permission: 'users.write',
    fresh: true,
    body: serviceAccountForm.extend({
      notes: serviceAccountForm.shape.notes.optional(),
      id: id(),
      ...sentVersion,
      ...updatedBy,
    }),
    result: changedRecord,
  }),
};
