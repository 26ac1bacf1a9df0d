import { randomUUID } from 'node:crypto';
import { type Permission, permissionRoutes } from '@apotheca/contract/permissions';
import { beforeAll } from 'vitest';
import { administratorIdOf } from './accounts.ts';
import type { TestApp } from './app.ts';

/** The id of the administrator, who is the default caller, and the token of an operator, who may only read. */
export function useCallers(test: TestApp) {
  const callers = { administratorId: '', operator: '' };
  beforeAll(async () => {
    callers.administratorId = await administratorIdOf(test);
    callers.operator = (await test.signInAs('Operator')).token;
  });
  return callers;
}

/** A permission as the form sends it. */
export function permissionInput(name: string, fields: Record<string, unknown> = {}) {
  return { id: randomUUID(), name, module: 'Rx', identifier: '', sortOrder: 0, ...fields };
}

/** A menu as the form sends it. */
export function menuInput(name: string, fields: Record<string, unknown> = {}) {
  const route = fields.parentPermissionId ? `/${name.toLowerCase()}` : '#';
  return { id: randomUUID(), name, route, icon: 'circle', sortOrder: 0, identifier: '', isMenu: true, ...fields };
}

/** Creates a permission or menu. @returns its id */
export async function createPermission(test: TestApp, body: { name: string }): Promise<string> {
  const { status, message, result } = await test.call(permissionRoutes.create, { body });
  if (status !== 200) throw new Error(`${body.name} was not created: ${message}`);
  return result.id;
}

/** All permissions and menus, as the list gives them. */
export async function listPermissions(test: TestApp, query: Record<string, string> = {}): Promise<Permission[]> {
  return (await test.call(permissionRoutes.list, { query })).result.permissions;
}

/** The row of a permission, if there is one. */
export function permissionRow({ context }: TestApp, id: string) {
  return context.platform.selectFrom('permissions').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The audit entries of a record, oldest first. */
export function auditOf({ context }: TestApp, entityId: string) {
  return context.platform
    .selectFrom('auditEntries')
    .select(['action', 'entity', 'changes'])
    .where('entityId', '=', entityId)
    .orderBy('id')
    .execute();
}

/** The id of a role by its name. */
export async function roleId({ context }: TestApp, name: string): Promise<string> {
  const role = context.platform.selectFrom('roles').select('id').where('name', '=', name);
  return (await role.executeTakeFirstOrThrow()).id;
}
