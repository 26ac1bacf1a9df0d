import type { User } from '@apotheca/contract/users';

/** First name, middle initial and last name; a service account has its user name only. */
export const fullName = ({ fName, mi, lName, isService, userName }: User): string =>
  isService ? userName : [fName, mi, lName].filter(Boolean).join(' ');

/** The name for signing in: every user has a user name, an e-mail address or both. */
export const signInName = ({ userName, email }: User): string => userName || email;
