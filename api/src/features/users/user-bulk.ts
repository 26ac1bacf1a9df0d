import type { userBulkRoutes } from '@apotheca/contract/user-bulks';
import type { z } from 'zod';
import { type BulkSubject, changeOf } from '../../bulks/bulk-subject.ts';
import { fieldError } from '../../errors.ts';
import { listRoles } from './user-options.repository.ts';
import { openRoles, refuseOwnerOfKey, refuseOwnRecord, requirePerson } from './user-protection.ts';
import { listAllUsers } from './users.repository.ts';
import { assignRole, ROLE_ASSIGNED_ELSEWHERE, setUserActive } from './users.service.ts';

type Asked = Omit<z.output<typeof userBulkRoutes.plan.body>, 'ids'>;

const ROLE = 'Access Role';
const flag = (value: boolean): string => (value ? 'yes' : 'no');

export const userBulk: BulkSubject<Asked> = {
  name: 'users',
  noun: 'user',
  done: { activate: 'activated', deactivate: 'deactivated', 'assign-role': 'given another role' },
  columns: [{ field: 'roleId', heading: ROLE }],
  async openRecords(context, actor, { action, roleId = '' }) {
    const users = new Map((await listAllUsers(context.platform)).map((row) => [row.id, row]));
    const roles = new Map((await listRoles(context.platform)).map(({ id, name }) => [id, name]));
    const refuseRole = openRoles(context, actor);
    const nameOf = (id: string): string => roles.get(id) ?? '';
    return (id) => {
      const there = users.get(id);
      if (!there) return undefined;
      return {
        record: there.userName || there.email,
        async plan() {
          refuseOwnerOfKey(actor, there);
          await refuseRole(there.roleId);
          if (action === 'assign-role') {
            if (!roles.has(roleId)) throw fieldError('invalid', 'roleId', 'This User Role is unknown.');
            requirePerson(there, ROLE_ASSIGNED_ELSEWHERE);
            await refuseRole(roleId);
            if (there.roleId !== roleId) refuseOwnRecord(actor, there, 'change your own user role');
            return {
              ...changeOf(ROLE, nameOf(there.roleId), nameOf(roleId)),
              write: (inContext, by) => assignRole(inContext, by, id, roleId, there),
            };
          }
          const isActive = action === 'activate';
          if (!isActive) refuseOwnRecord(actor, there, 'deactivate yourself');
          return {
            ...changeOf('Active', flag(there.isActive), flag(isActive)),
            write: (inContext, by) => setUserActive(inContext, by, id, isActive),
          };
        },
      };
    };
  },
};
