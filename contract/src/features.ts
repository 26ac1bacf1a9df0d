/** The features. Each name is that of a folder, a file, an API tag, a test and a commit scope, in every workspace. */
export const FEATURES = [
  'auth',
  'account',
  'dashboard',
  'tenants',
  'users',
  'databases',
  'licences',
  'permissions',
  'roles',
  'menus',
  'faqs',
  'audit',
  'webhooks',
  'databaseservers',
] as const;

export type Feature = (typeof FEATURES)[number];
