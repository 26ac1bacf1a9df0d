import { RETIRED_PERMISSIONS } from '@apotheca/contract/permission-catalogue';
import type { PermissionSync } from '@apotheca/contract/permissions';
import type { Actor } from '../../actor.ts';
import { appendAudit, changedFields, changedVersion } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import type { Trx } from '../../db/platform.ts';
import { BUILT_IN_PERMISSIONS, insertBuiltInPermissions, lockBuiltInPermissions } from './catalogue.repository.ts';
import { deletePermissions, lockPermissions, type PermissionRow, updatePermission } from './permissions.repository.ts';
import { summariseSync } from './sync-summary.ts';

type BuiltIn = (typeof BUILT_IN_PERMISSIONS)[number];

/** Syncs the code's permissions into the control database, and deletes those that the code has given up (DECISIONS §10). */
export async function syncCatalogue(context: Context, actor: Actor): Promise<PermissionSync> {
  return context.platform.transaction().execute(async (trx) => {
    await lockPermissions(trx);
    const present = await lockBuiltInPermissions(trx);
    const removed = present.filter(isRetired);
    await deletePermissions(
      trx,
      removed.map(({ id }) => id),
    );
    const added = await insertBuiltInPermissions(trx);
    const changed = present.filter((row) => Object.keys(changesOf(row)).length > 0);
    for (const row of changed) await changeToBuiltIn(context, trx, actor, row);
    const { kept: _, ...result } = summariseSync({ added, changed: changed.map(asBuiltIn), removed, kept: [] });
    const event = { actor, action: 'permissions.sync', entity: 'permissions', entityId: 'catalogue', changes: result };
    await appendAudit(context, trx, event);
    return { ...result, kept: [] };
  });
}

const builtInOf = (row: PermissionRow): BuiltIn | undefined =>
  BUILT_IN_PERMISSIONS.find(({ identifier }) => identifier === row.identifier.toLowerCase());

const isRetired = (row: PermissionRow): boolean =>
  !builtInOf(row) && RETIRED_PERMISSIONS.includes(row.identifier.toLowerCase());

const asBuiltIn = (row: PermissionRow): PermissionRow => ({ ...row, ...builtInOf(row) });

const changesOf = (row: PermissionRow) => changedFields(row, builtInOf(row) ?? {});

async function changeToBuiltIn(context: Context, trx: Trx, actor: Actor, row: PermissionRow): Promise<void> {
  const fields = builtInOf(row) ?? {};
  await updatePermission(trx, row.id, { ...fields, updatedBy: actor.id, updatedAt: context.now() });
  const changes = changedVersion(row, fields);
  const event = { actor, action: 'permissions.sync', entity: 'permissions', entityId: row.id, changes };
  await appendAudit(context, trx, event);
}
