import { DATABASE_NAME_MAX } from '@apotheca/contract/database-name';

/**
 * The likely database name for an archive: the file's name without its ending and without the date of the download.
 * @example databaseNameOfFile('acme-2026-03-04.dump') // 'ACME'
 */
export const databaseNameOfFile = (fileName: string): string =>
  fileName
    .replace(/\.[^.]*$/, '')
    .replace(/-\d{4}-\d{2}-\d{2}( \(\d+\))?$/, '')
    .toUpperCase()
    .slice(0, DATABASE_NAME_MAX);
