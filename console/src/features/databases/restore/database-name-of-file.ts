import { DATABASE_NAME_MAX } from '@apotheca/contract/database-name';

/**
 * What the archive in a file is likely to be called: the file's name without its ending and the day of its download.
 * @example databaseNameOfFile('acme-2026-03-04.dump') // 'ACME'
 */
export const databaseNameOfFile = (fileName: string): string =>
  fileName
    .replace(/\.[^.]*$/, '')
    .replace(/-\d{4}-\d{2}-\d{2}( \(\d+\))?$/, '')
    .toUpperCase()
    .slice(0, DATABASE_NAME_MAX);
