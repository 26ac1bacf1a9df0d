import { isSameName } from '@apotheca/contract/name-collation';
import type { Context } from '../../../context.ts';

/** Whether a user may not sign in with what the console itself knows of them, such as a password (APOTHECA_LOCAL_SIGN_IN). */
export const isPasswordOff = ({ onlyLocalAccount }: Context, { userName }: { userName: string }): boolean =>
  onlyLocalAccount !== undefined && !isSameName(userName, onlyLocalAccount);
