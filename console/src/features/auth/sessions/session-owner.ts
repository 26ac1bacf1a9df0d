/** A user, by the name that they sign in with. */
export interface SessionOwner {
  id: string;
  name: string;
}
