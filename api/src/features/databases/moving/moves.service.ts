import type { Context } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { type DatabaseRow, findDatabaseById } from '../databases.repository.ts';
import { findDatabaseOfTenant } from '../databases.service.ts';

/** The ready database of a tenant, or the one of an id. @throws AppError not-found */
export async function getMovable(context: Context, id: string): Promise<DatabaseRow> {
  const row = (await findDatabaseOfTenant(context, id)) ?? (await findDatabaseById(context.platform, id));
  if (row?.state !== 'ready') throw new AppError('not-found', { message: 'There is no such tenant or database.' });
  return row;
}
