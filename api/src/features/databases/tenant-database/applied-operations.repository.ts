import pg from 'pg';

/** The application name of an operation's sessions in the database that it changes. */
export const sessionNameOf = (operationId: string): string => `apotheca ${operationId}`;

/** Ends the session of an earlier run, which may still hold locks or be about to commit. */
export async function endEarlierSession(client: pg.Client, operationId: string): Promise<void> {
  await client.query(
    `select count(pg_terminate_backend(pid, 5000)) from pg_stat_activity
     where application_name = $1 and datname = current_database() and pid <> pg_backend_pid()`,
    [sessionNameOf(operationId)],
  );
}

/** The note that an operation left in this database, in the transaction of its change. @returns undefined: it has changed nothing yet */
export async function findAppliedOperation<Note>(client: pg.Client, operationId: string): Promise<Note | undefined> {
  const { rows } = await client.query<{ result: Note }>(
    'select result from apotheca.applied_operations where operation_id = $1',
    [operationId],
  );
  return rows[0]?.result;
}

/** Notes in this database that an operation has changed it, and commits the change. */
export async function commitAppliedOperation(client: pg.Client, operationId: string, note: unknown): Promise<void> {
  const values = [operationId, JSON.stringify(note)].map((value) => pg.escapeLiteral(value));
  await client.query(
    `insert into apotheca.applied_operations (operation_id, result) values (${values.join(', ')}); commit`,
  );
}
