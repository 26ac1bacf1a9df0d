/** What an error says, and what its cause says: of a connection that fails, fetch says no more than that it has failed. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  const why = cause instanceof Error ? ownReasonOf(cause) : '';
  return why ? `${message}: ${why}` : message;
}

/** Where a host has several addresses, the failures at each of them come together in an error that says nothing itself. */
function ownReasonOf(cause: NodeJS.ErrnoException): string {
  if (cause.message) return cause.message;
  const each: Error[] = cause instanceof AggregateError ? cause.errors : [];
  return each.map(({ message }) => message).join(', ') || (cause.code ?? '');
}
