/** The command was not given what it needs. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
