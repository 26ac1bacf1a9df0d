/** The wait for an operation failed, while the operation goes on. Its cause is why. */
export class WaitError extends Error {
  override readonly name = 'WaitError';
  readonly operationId: string;

  constructor(operationId: string, cause: unknown) {
    super('The wait for an operation failed.', { cause });
    this.operationId = operationId;
  }
}
