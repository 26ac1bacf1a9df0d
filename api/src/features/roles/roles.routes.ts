import { roleRoutes } from '@apotheca/contract/roles';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';
import { describeRolePlan, editRolePermissions, planRolePermissions } from './role-permissions.service.ts';
import { createRole, deleteRole, listRoles, renameRole } from './roles.service.ts';

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
    delete: async ({ query: { id, moveTo }, actor }) => ({
      result: await deleteRole(context, actor, { id, moveTo }),
      message: 'Success! Role has been deleted.',
    }),
    planPermissions: async ({ body }) => {
      const result = await planRolePermissions(context, body);
      return { result, message: describeRolePlan('would change', result) };
    },
    editPermissions: async ({ body: { updatedBy: _, ...edit }, actor }) => {
      const result = await editRolePermissions(context, actor, edit);
      return { result, message: describeRolePlan('changed', result) };
    },
  });
}
