/** A recovery cannot begin or go on. The message is one line for the terminal. */
export class RecoveryError extends Error {}
