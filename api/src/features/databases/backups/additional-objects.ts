import type pg from 'pg';
import { allowObjects, makeObjectOwner, OBJECT_OWNER, takeObjects } from '../../../db/cluster/object-owner.ts';
import { createRole, dropUsedRole, muteLogOfRole } from '../../../db/cluster/restored-database.ts';
import { giveRightsOfTenants } from '../../../db/cluster/tenant-rights.ts';
import type { Run } from '../../../operations/operation-kind.ts';
import type { DatabaseRow } from '../databases.repository.ts';
import { loginRoleOf } from '../databases.service.ts';
import { loadAdditionalObjects, type RestorableArchive } from './archive/archive-loading.ts';
import { damaged } from './archive/damaged-archive.ts';
import { listChangedCatalogues, readCatalogueRows } from './catalogue-digests.repository.ts';
import { readChecksums, refuseDifferences } from './checksums.repository.ts';
import { applyPrivileges } from './privileges.repository.ts';
import { inSnapshot } from './snapshot.repository.ts';

/**
 * Makes what an archive of this installation has beyond the platform's schema: tables with their rows, views, functions, triggers. It
 * comes last, so that the administrator runs no statement with which code of the archive could run. A role that can write no row of the
 * platform's tables makes all of it and is dropped; then it belongs to a role that nobody can log in as (decision 036).
 * @throws AppError damaged-archive
 */
export async function restoreAdditionalObjects(run: Run, row: DatabaseRow, archive: RestorableArchive): Promise<void> {
  const { additional, manifest, path } = archive;
  if (!manifest || additional.length === 0) return;
  const { context, cluster } = run;
  const { physicalName, roleName } = row;
  const asAdministrator = <T>(work: (client: pg.Client) => Promise<T>) =>
    context.tenants.with(row, work, { unlimited: true });
  await makeObjectOwner(cluster);
  const before = await asAdministrator(async (client) => {
    await giveRightsOfTenants(client, OBJECT_OWNER);
    return readCatalogueRows(client);
  });
  await createRole(cluster, { ...loginRoleOf(context, row), physicalName });
  await muteLogOfRole(cluster, roleName);
  await asAdministrator((client) => allowObjects(client, physicalName, roleName));
  await loadAdditionalObjects(run, row, path, additional);
  await asAdministrator((client) => takeObjects(client, roleName));
  await dropUsedRole(cluster, physicalName, roleName);
  await asAdministrator(async (client) => {
    const changed = listChangedCatalogues(before, await readCatalogueRows(client));
    if (changed.length > 0) throw damaged(`The archive changes more than it lists: ${changed.join(', ')}.`);
    await applyPrivileges(client, OBJECT_OWNER, manifest.privileges);
    const restored = new Set(additional.filter(({ kind }) => kind === 'TABLE DATA').map(keyOf));
    const isRestored = (table: TableKey) => restored.has(keyOf(table));
    const actual = await inSnapshot(client, () => readChecksums(client, isRestored));
    refuseDifferences(manifest.tables.filter(isRestored), actual);
  });
}

interface TableKey {
  schema: string;
  name: string;
}

const keyOf = ({ schema, name }: TableKey): string => JSON.stringify([schema, name]);
