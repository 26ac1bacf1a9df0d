import { query } from './postgres.ts';

/** Writes two locations without references to them, and a user with a one-time password. */
export async function insertRows(database: string): Promise<void> {
  await query(
    database,
    "insert into locations (code, name, kind) values ('A', 'Ward A', 'room'), ('B', 'Ward B', 'room')",
  );
  await query(
    database,
    `insert into users (user_name, first_name, last_name, email, clinical_role)
     values ('ines', 'Ines', 'Moreau', 'ines@silverlake.test', 'Pharmacist')`,
  );
  await query(
    database,
    `insert into otps (user_id, purpose, channel, code_hash, expires_at)
     select id, 'sign-in', 'email', repeat('0', 64), now() + interval '5 minutes' from users`,
  );
}
