import { PERMISSION_CATALOGUE, ROLES } from '@apotheca/contract/permission-catalogue';
import { sql } from 'kysely';
import type { Trx } from '../../db/platform.ts';
import type { PermissionRow } from './permissions.repository.ts';

/** The permissions of the code (DECISIONS §10), as rows. */
export const BUILT_IN_PERMISSIONS = PERMISSION_CATALOGUE.map(({ module, name, identifier }, sortOrder) => ({
  module,
  name,
  identifier,
  sortOrder,
  isActive: true,
  isBuiltIn: true,
}));

/** The rows of permissions that the code of this or another version has, locked until the transaction ends. */
export function lockBuiltInPermissions(trx: Trx): Promise<PermissionRow[]> {
  const identifiers = BUILT_IN_PERMISSIONS.map(({ identifier }) => identifier);
  return trx
    .selectFrom('permissions')
    .selectAll()
    .where((row) => row.or([row('isBuiltIn', '=', true), row('identifier', 'in', identifiers)]))
    .orderBy('sortOrder')
    .forUpdate()
    .execute();
}

/**
 * Inserts the code's permissions that the table does not have yet, and gives them to the seeded roles of their access. Other
 * permissions of roles stay as they are.
 * @returns the new ones
 */
export async function insertBuiltInPermissions(trx: Trx): Promise<{ identifier: string; name: string }[]> {
  const added = await trx
    .insertInto('permissions')
    .values(BUILT_IN_PERMISSIONS)
    .onConflict((conflict) => conflict.column('identifier').doNothing())
    .returning(['id', 'identifier', 'name'])
    .execute();
  const grants = ROLES.flatMap((role) => {
    const access: readonly string[] = role.access;
    const granted = added.filter(({ identifier }) => access.includes(accessOf(identifier)));
    return granted.map(({ id }) => ({ role: role.name, id }));
  });
  await sql`
    insert into role_permissions (role_id, permission_id)
    select r.id, granted.id
    from json_to_recordset(${JSON.stringify(grants)}::json) as granted (role text, id uuid)
    join roles r on r.name = granted.role`.execute(trx);
  return added;
}

function accessOf(identifier: string): string {
  return PERMISSION_CATALOGUE.find((entry) => entry.identifier === identifier)?.access ?? '';
}
