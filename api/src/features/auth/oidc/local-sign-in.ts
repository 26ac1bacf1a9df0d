import type { Context } from '../../../context.ts';

/** As PostgreSQL compares user names: whatever their case, but with their accents. */
const { compare } = new Intl.Collator('und', { sensitivity: 'accent' });

/** Whether a user may not sign in with what the console itself knows of them, such as a password (APOTHECA_LOCAL_SIGN_IN). */
export const isPasswordOff = ({ onlyLocalAccount }: Context, { userName }: { userName: string }): boolean =>
  onlyLocalAccount !== undefined && compare(userName, onlyLocalAccount) !== 0;
