import { query } from './postgres.ts';

/** Makes the proof of a user's sessions 16 minutes old. @param database the control database */
export const ageProof = (userName: string, database = 'apotheca') =>
  query(
    database,
    `update sessions set proved_at = proved_at - interval '16 minutes'
     from users where users.id = user_id and user_name = $1 and kind = 'console'`,
    [userName],
  );
