import { randomUUID } from 'node:crypto';
import { permissionRoutes } from '@apotheca/contract/permissions';
import type { TestApp } from './app.ts';

/** A permission as the form would send it. */
export function permissionInput(name: string, fields: Record<string, unknown> = {}) {
  return { id: randomUUID(), name, module: 'Rx', identifier: '', sortOrder: 0, ...fields };
}

/** A menu as the form would send it. */
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

/** What the audit trail says of a record, oldest first. */
export function auditOf({ context }: TestApp, entityId: string) {
  return context.platform
    .selectFrom('auditEntries')
    .select(['action', 'entity', 'changes'])
    .where('entityId', '=', entityId)
    .orderBy('id')
    .execute();
}

/** The id of a seeded role, or of one that a test made. */
export async function roleId({ context }: TestApp, name: string): Promise<string> {
  const role = context.platform.selectFrom('roles').select('id').where('name', '=', name);
  return (await role.executeTakeFirstOrThrow()).id;
}
