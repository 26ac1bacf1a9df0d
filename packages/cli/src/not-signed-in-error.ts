/** Nobody is signed in. */
export class NotSignedInError extends Error {
  override readonly name = 'NotSignedInError';
}
