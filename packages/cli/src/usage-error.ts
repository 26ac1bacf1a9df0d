/** The command was not given what it needs. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Refuses a file that was named and cannot be read. */
export const refuseFile =
  (file: string) =>
  (error: Error): never => {
    throw new UsageError(`${file} cannot be read: ${error.message}`);
  };
