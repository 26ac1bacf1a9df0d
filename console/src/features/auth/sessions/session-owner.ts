/** A user, by what they sign in with. */
export interface SessionOwner {
  id: string;
  name: string;
}
