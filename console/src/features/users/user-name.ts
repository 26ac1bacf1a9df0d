import type { User } from '@apotheca/contract/users';

/** First name, middle initial and last name. */
export const fullName = ({ fName, mi, lName }: User): string => [fName, mi, lName].filter(Boolean).join(' ');

/** What a user signs in with: every user has at least one of the two. */
export const signInName = ({ userName, email }: User): string => userName || email;
