import { menuRoutes } from '@apotheca/contract/menus';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';
import { menuTree, menuTreeOfRole } from './menus.service.ts';

export function registerMenus(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, menuRoutes, {
    tree: menuTree,
    treeOfRole: menuTreeOfRole(context),
  });
}
