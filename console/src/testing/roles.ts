import { type Role, role as roleSchema } from '@apotheca/contract/roles';

let made = 0;

/** A role as the list gives it, checked against the contract. */
export function makeRole(fields: Partial<Role> = {}): Role {
  made += 1;
  return roleSchema.parse({
    id: `00000000-0000-4000-b000-${String(made).padStart(12, '0')}`,
    roleName: `Role ${made}`,
    isBuiltIn: false,
    users: 0,
    permissionIds: [],
    requiresSecondFactor: false,
    version: 1,
    ...fields,
  });
}
