import type { TestApp } from './app.ts';

/** Runs something while no row of a table can be changed, as on a full disk. */
export async function whileUnwritable<T>(
  { context: { pool } }: TestApp,
  table: string,
  work: () => Promise<T>,
): Promise<T> {
  await pool.query(`
    create function refuse_writing() returns trigger language plpgsql as $$
      begin raise exception 'the disk is full' using errcode = '53100'; end
    $$;
    create trigger refuse_writing before update on ${table} for each statement execute function refuse_writing()`);
  try {
    return await work();
  } finally {
    await pool.query('drop function refuse_writing cascade');
  }
}
