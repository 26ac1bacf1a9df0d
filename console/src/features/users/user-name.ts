import type { User } from '@apotheca/contract/users';

/** First name, middle initial and last name. */
export const fullName = ({ fName, mi, lName }: User): string => [fName, mi, lName].filter(Boolean).join(' ');

/** The name for signing in: every user has a user name, an e-mail address or both. */
export const signInName = ({ userName, email }: User): string => userName || email;
