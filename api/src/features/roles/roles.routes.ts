import { roleRoutes } from '@apotheca/contract/roles';
import { roleFactorRoutes } from '@apotheca/contract/second-factors';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';
import { planSecondFactor } from '../auth/factors/factor-administration.service.ts';
import { describeRolePlan, editRolePermissions, planRolePermissions } from './role-permissions.service.ts';
import { createRole, deleteRole, listRoles, renameRole, setRoleSecondFactor } from './roles.service.ts';

export function registerRoles(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, roleRoutes, {
    list: listRoles,
    create: async ({ body: { createdBy: _, ...fields }, actor }) => ({
      result: await createRole(context, actor, fields),
      message: 'Success! Role has been Created.',
    }),
    edit: async ({ body: { updatedBy: _, ...edit }, actor }) => ({
      result: await renameRole(context, actor, edit),
      message: 'Success! Role has been updated.',
    }),
    delete: async ({ query: { id, moveTo }, actor }) => {
      const { unsharedViews, ...result } = await deleteRole(context, actor, { id, moveTo });
      return { result, message: `Success! Role has been deleted.${describeUnshared(unsharedViews)}` };
    },
    planPermissions: async ({ body }) => {
      const result = await planRolePermissions(context, body);
      return { result, message: describeRolePlan('would change', result) };
    },
    editPermissions: async ({ body: { updatedBy: _, ...edit }, actor }) => {
      const result = await editRolePermissions(context, actor, edit);
      return { result, message: describeRolePlan('changed', result) };
    },
  });
  serveRoutes(app, context, roleFactorRoutes, {
    planRequired: async ({ query }) => ({ result: await planSecondFactor(context, query.id) }),
    setRequired: async ({ body, actor }) => {
      const ended = await setRoleSecondFactor(context, actor, body);
      const message = body.required
        ? `The user role needs a second factor. ${ended === 1 ? '1 session has' : `${ended} sessions have`} ended.`
        : 'The user role needs no second factor.';
      return { result: null, message };
    },
  });
}

/** What is said after the deletion of a role, of the views that were shared with it. */
function describeUnshared(views: number): string {
  if (views === 0) return '';
  return views === 1
    ? " 1 view that was shared with it is its owner's alone now."
    : ` ${views} views that were shared with it are their owners' alone now.`;
}
