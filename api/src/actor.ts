/** Who did something, and from where. */
export interface Actor {
  id: string | null;
  /** User name, or what somebody typed as one. */
  name: string;
  /** Address of the caller's connection; `server` for what the server does itself. */
  address: string;
}

/** The server itself as an actor, for what it finishes or undoes after a crash. */
export const SERVER_ACTOR: Actor = { id: null, name: 'server', address: 'server' };

/** The signed-in user of a request. */
export interface Caller {
  id: string;
  sessionId: string;
  userName: string;
  role: string;
  /** Whether the call came with an API token, which can only read. */
  readOnly: boolean;
}
