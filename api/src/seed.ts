import { ADMINISTRATOR, ROLES } from '@apotheca/contract/permission-catalogue';
import { sql } from 'kysely';
import type { Platform, Trx } from './db/platform.ts';
import { listTimezones } from './db/timezones.ts';
import { hashPassword } from './features/auth/passwords.ts';
import { insertBuiltInPermissions } from './features/permissions/catalogue.repository.ts';

/** Key of the advisory lock under which one server process at a time seeds. */
const SEED_LOCK = 7_206_431;

export interface FirstAdministrator {
  userName: string;
  /** Asked for only where there is no user yet. @throws StartError where it may not be used */
  password: () => string;
}

/**
 * Brings roles, console permissions and time zones up to date, and makes the first administrator if there is no user.
 * @returns whether the administrator was made by this call
 */
export async function seedPlatform(platform: Platform, administrator: FirstAdministrator): Promise<boolean> {
  return platform.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${SEED_LOCK})`.execute(trx);
    await seedRoles(trx);
    await insertBuiltInPermissions(trx);
    await seedTimezones(trx);
    return seedAdministrator(trx, administrator);
  });
}

async function seedRoles(trx: Trx): Promise<void> {
  await trx
    .insertInto('roles')
    .values(ROLES.map(({ name }) => ({ name })))
    .onConflict((oc) => oc.column('name').doNothing())
    .execute();
}

/** Runs once for each version of the runtime's IANA data, as reading 400 zones takes 100 ms and 40 MB. */
async function seedTimezones(trx: Trx): Promise<void> {
  const mark = { name: `timezones ${process.versions.tz}` };
  const isNew = await trx
    .insertInto('installationMarks')
    .values(mark)
    .onConflict((oc) => oc.doNothing())
    .returning('name')
    .executeTakeFirst();
  if (!isNew) return;
  await trx
    .insertInto('timezones')
    .values(listTimezones())
    .onConflict((oc) =>
      oc.column('id').doUpdateSet((eb) => ({
        displayName: eb.ref('excluded.displayName'),
        offsetMinutes: eb.ref('excluded.offsetMinutes'),
      })),
    )
    .execute();
}

async function seedAdministrator(trx: Trx, { userName, password }: FirstAdministrator): Promise<boolean> {
  const anyone = await trx.selectFrom('users').select('id').limit(1).executeTakeFirst();
  if (anyone) return false;
  const role = await trx.selectFrom('roles').select('id').where('name', '=', ADMINISTRATOR).executeTakeFirstOrThrow();
  await trx
    .insertInto('users')
    .values({
      userName,
      passwordHash: await hashPassword(password()),
      firstName: 'Apotheca',
      lastName: 'Administrator',
      roleId: role.id,
      deletedAt: null,
    })
    .execute();
  return true;
}
