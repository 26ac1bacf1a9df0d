import { z } from 'zod';
import { AppError } from '../../../../errors.ts';
import { FormatError } from './archive-reader.ts';

/** The error for a damaged archive. @param tables those whose rows are damaged, where that is known */
export const damaged = (message: string, tables: readonly string[] = []): AppError =>
  new AppError('damaged-archive', { message, ...(tables.length > 0 && { result: { tables } }) });

/** What an archive's reader has thrown, as people are told. @throws AppError damaged-archive for a FormatError; others as they are */
export function throwUnreadable(error: unknown): never {
  throw error instanceof FormatError ? damaged(`The archive cannot be read: ${error.message}.`) : error;
}

const damagedTables = z.object({ tables: z.array(z.string()) });

/** The tables that {@link damaged} was given. */
export const tablesOf = ({ details }: AppError): string[] => damagedTables.safeParse(details.result).data?.tables ?? [];
