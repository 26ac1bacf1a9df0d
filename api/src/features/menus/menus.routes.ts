import { menuRoutes } from '@apotheca/contract/menus';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';
import { getMenuTree, getMenuTreeOfRole } from './menus.service.ts';

export function registerMenus(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, menuRoutes, {
    tree: async () => ({ result: await getMenuTree(context) }),
    treeOfRole: async ({ query }) => ({ result: await getMenuTreeOfRole(context, query.roleId) }),
  });
}
