/** The nine features. Each name is that of a folder, a file, an API tag, a test and a commit scope, in every workspace. */
export const FEATURES = [
  'auth',
  'dashboard',
  'tenants',
  'users',
  'databases',
  'licences',
  'permissions',
  'menus',
  'faqs',
] as const;

export type Feature = (typeof FEATURES)[number];
