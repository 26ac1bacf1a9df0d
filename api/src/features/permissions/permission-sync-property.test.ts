import { randomUUID } from 'node:crypto';
import { permissionRoutes, type SyncedPermission } from '@apotheca/contract/permissions';
import { tenantRoutes } from '@apotheca/contract/tenants';
import fc from 'fast-check';
import { sql } from 'kysely';
import type pg from 'pg';
import { expect, it } from 'vitest';
import { withDatabaseName } from '../../db/connections/connection-string.ts';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { withClient } from '../../testing/databases.ts';
import { IS_LONG_RUN } from '../../testing/long-run.ts';
import { getDatabaseByName } from '../databases/databases.service.ts';

const test = useTestApp();

const SLOTS = 8;
const RUNS = IS_LONG_RUN ? 100 : 30;
const BUILT_IN = ['users.read', 'faqs.read', 'menus.read'];
/** Ids of the catalogue's slots first; a tenant may have any of them for any of its rows. */
const IDS = Array.from({ length: 2 * SLOTS }, () => randomUUID());

/** The content of a permission, in the catalogue or in a tenant, with its parent's identifier. */
interface Content {
  identifier: string;
  name: string;
  module: string;
  sortOrder: number;
  isMenu: boolean;
  route: string | null;
  icon: string | null;
  parent: string | null;
}
interface InCatalogue extends Content {
  isActive: boolean;
}
interface InTenant extends InCatalogue {
  id: string;
  syncedIsActive: boolean;
}

const drawn = fc.record({
  isThere: fc.boolean(),
  isMenu: fc.boolean(),
  isActive: fc.boolean(),
  syncedIsActive: fc.boolean(),
  name: fc.constantFrom('Old', 'New'),
  sortOrder: fc.nat(2),
  isShouted: fc.boolean(),
  /** How many slots before this one the parent is. */
  parentBefore: fc.nat(SLOTS),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer Value> ? Value : never;

const contentOf = ({ isMenu, name, sortOrder }: Drawn, identifier: string): Content => ({
  identifier,
  name,
  module: isMenu ? 'Menu' : 'Rx',
  sortOrder,
  isMenu,
  route: isMenu ? '#' : null,
  icon: isMenu ? name : null,
  parent: null,
});

const slotName = (slot: number): string => `slot.${slot}`;

/** The catalogue's rows; a menu's parent is a menu of an earlier slot. */
function catalogueOf(slots: readonly Drawn[]): InCatalogue[] {
  return slots.flatMap((slot, index) => {
    const parent = slots[index - slot.parentBefore];
    const hasParent = slot.isMenu && slot.parentBefore > 0 && parent?.isThere && parent.isMenu;
    const content = contentOf(slot, slotName(index));
    const row = { ...content, isActive: slot.isActive, parent: hasParent ? slotName(index - slot.parentBefore) : null };
    return slot.isThere ? [row] : [];
  });
}

/** A tenant's rows. Any earlier row may be a parent. */
function tenantOf(slots: readonly Drawn[], ids: readonly string[]): InTenant[] {
  const identifiers = slots.map(({ isShouted }, index) => {
    const identifier = BUILT_IN[index - SLOTS] ?? slotName(index);
    return isShouted ? identifier.toUpperCase() : identifier;
  });
  return slots.flatMap((slot, index) => {
    const hasParent = slot.parentBefore > 0 && slots[index - slot.parentBefore]?.isThere;
    const parent = hasParent ? (identifiers[index - slot.parentBefore] ?? null) : null;
    const { isActive, syncedIsActive } = slot;
    const row = {
      ...contentOf(slot, identifiers[index] ?? ''),
      id: ids[index] ?? '',
      isActive,
      syncedIsActive,
      parent,
    };
    return slot.isThere ? [row] : [];
  });
}

const keyOf = ({ identifier }: { identifier: string }): string => identifier.toLowerCase();
const byKey = <T extends { identifier: string }>(rows: readonly T[]) => new Map(rows.map((row) => [keyOf(row), row]));
const withoutState = ({ isActive: _, ...content }: InCatalogue): Content => content;

/** The requirements of a sync, as sets. */
function expectedOf(catalogue: readonly InCatalogue[], tenant: readonly InTenant[]) {
  const all = byKey(catalogue);
  const isShown = (row: InCatalogue): boolean => {
    const parent = row.parent === null ? undefined : all.get(row.parent);
    return row.isActive && (row.parent === null || (parent !== undefined && isShown(parent)));
  };
  const present = byKey(tenant);
  const isKept = (key: string) => present.get(key)?.isActive === false && present.get(key)?.syncedIsActive === true;
  const wanted = byKey(catalogue.filter((row) => isShown(row) || isKept(keyOf(row))));
  const after = [...wanted].map(([key, row]) => ({
    ...withoutState(row),
    parent: row.parent !== null && wanted.has(row.parent) ? row.parent : null,
    isActive: !isKept(key),
    syncedIsActive: true,
  }));
  const stays = after.filter((row) => present.has(keyOf(row)));
  return {
    after,
    added: new Set([...wanted.keys()].filter((key) => !present.has(key))),
    removed: new Set([...present.keys()].filter((key) => !wanted.has(key))),
    kept: new Set([...wanted.keys()].filter(isKept)),
    changed: new Set(stays.filter((row) => !isUntouched(row, present)).map(keyOf)),
  };
}

/** Whether a tenant's row needs no change. Its parent is compared by identifier, ignoring case. */
function isUntouched(row: Content, present: ReadonlyMap<string, InTenant>): boolean {
  const { id: _, ...before } = present.get(keyOf(row)) ?? expect.fail();
  const comparable = (one: Content) =>
    JSON.stringify(Object.entries({ ...one, parent: one.parent?.toLowerCase() }).toSorted());
  return comparable(before) === comparable(row);
}

async function writeCatalogue(rows: readonly InCatalogue[]): Promise<InCatalogue[]> {
  const { platform } = test.context;
  await platform.deleteFrom('permissions').where('isBuiltIn', '=', false).execute();
  const ids = new Map(IDS.map((id, slot) => [slotName(slot), id]));
  const values = rows.map(({ parent, ...row }) => ({
    ...row,
    id: ids.get(row.identifier),
    parentPermissionId: parent === null ? null : ids.get(parent),
  }));
  if (values.length > 0) await platform.insertInto('permissions').values(values).execute();
  const { rows: all } = await sql<InCatalogue>`
    select p.identifier, p.name, p.module, p.sort_order as "sortOrder", p.is_menu as "isMenu", p.route, p.icon,
      parent.identifier as parent, p.is_active as "isActive"
    from permissions p left join permissions parent on parent.id = p.parent_permission_id`.execute(platform);
  return all;
}

async function writeTenant(client: pg.Client, rows: readonly InTenant[]): Promise<void> {
  const ids = new Map(rows.map(({ identifier, id }) => [identifier, id]));
  const values = rows.map(({ parent, ...row }) => ({ ...row, parentId: parent === null ? null : ids.get(parent) }));
  await client.query('truncate apotheca.permissions');
  await client.query(
    `insert into apotheca.permissions (id, parent_permission_id, module, name, identifier, route, icon, sort_order, is_menu,
       is_active, synced_is_active)
     select id, "parentId", module, name, identifier, route, icon, "sortOrder", "isMenu", "isActive", "syncedIsActive"
     from json_to_recordset($1::json) as r (id uuid, "parentId" uuid, module text, name text, identifier text, route text,
       icon text, "sortOrder" integer, "isMenu" boolean, "isActive" boolean, "syncedIsActive" boolean)`,
    [JSON.stringify(values)],
  );
}

async function readTenant(client: pg.Client): Promise<InTenant[]> {
  const { rows } = await client.query(
    `select p.id, p.identifier, p.name, p.module, p.sort_order as "sortOrder", p.is_menu as "isMenu", p.route, p.icon,
       parent.identifier as parent, p.is_active as "isActive", p.synced_is_active as "syncedIsActive"
     from apotheca.permissions p left join apotheca.permissions parent on parent.id = p.parent_permission_id`,
  );
  return rows;
}

/** Syncs one random state, and compares the answer and the tenant's table with the sets. */
async function checkSync(
  client: pg.Client,
  tenantId: string,
  catalogue: readonly InCatalogue[],
  tenant: readonly InTenant[],
) {
  const sync = async () => (await test.call(permissionRoutes.sync, { query: { tenantId } })).result;
  await writeTenant(client, tenant);
  const { after, ...sets } = expectedOf(await writeCatalogue(catalogue), tenant);
  const { added, changed, removed, kept, permissions } = await sync();
  const named = (outcome: string) =>
    new Set(permissions.filter((row: SyncedPermission) => row.outcome === outcome).map(keyOf));
  expect({
    added: named('added'),
    changed: named('changed'),
    removed: named('removed'),
    kept: named('kept'),
  }).toEqual(sets);
  expect([added, changed, removed]).toEqual([sets.added.size, sets.changed.size, sets.removed.size]);
  expect(new Set(kept)).toEqual(sets.kept);
  const written = await readTenant(client);
  expect(byKey(written.map(({ id: _, ...row }) => row))).toEqual(byKey(after));
  const before = byKey(tenant);
  for (const { identifier, id } of written) expect(id).toBe(before.get(identifier)?.id ?? id);
  const again = await sync();
  expect(again).toMatchObject({ added: 0, changed: 0, removed: 0 });
  expect(new Set(again.kept)).toEqual(sets.kept);
}

it('a sync does what follows from the sets of catalogue, tenant and last sync, for random ones [DECISIONS §10]', async () => {
  const { id: tenantId } = (await test.call(tenantRoutes.create, { body: tenantInput('RANDOM') })).result;
  const { physicalName } = await getDatabaseByName(test.context, 'RANDOM');
  const slots = (count: number) => fc.array(drawn, { minLength: count, maxLength: count });
  const states = fc.record({
    catalogue: slots(SLOTS),
    tenant: slots(SLOTS + BUILT_IN.length),
    ids: fc.shuffledSubarray(IDS, { minLength: IDS.length }),
  });
  await withClient(withDatabaseName(test.databaseUrl, physicalName), (client) =>
    fc.assert(
      fc.asyncProperty(states, ({ catalogue, tenant, ids }) =>
        checkSync(client, tenantId, catalogueOf(catalogue), tenantOf(tenant, ids)),
      ),
      { numRuns: RUNS },
    ),
  );
});
