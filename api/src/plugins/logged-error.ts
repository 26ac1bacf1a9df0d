import { type SerializedError, stdSerializers } from 'pino';

/** Fields of PostgreSQL's errors that may quote rows: 'Failing row contains (…)', 'Key (email)=(…) already exists'. */
const QUOTING = ['detail', 'hint', 'internalQuery', 'where'];

/** An error as the log has it, with those that it stands for: whatever a tenant's rows hold, the log is collected elsewhere. */
export const loggedError = (error: Error): SerializedError => withoutQuotes(stdSerializers.err(error));

function withoutQuotes(logged: SerializedError): SerializedError {
  for (const field of QUOTING) delete logged[field];
  logged.aggregateErrors?.forEach(withoutQuotes);
  return logged;
}
