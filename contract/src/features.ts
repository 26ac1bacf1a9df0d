/** The nine features. Each word is the folder, the file, the API tag, the test and the commit scope in every workspace. */
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
