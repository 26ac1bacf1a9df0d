import { userInfo } from 'node:os';

/** Who did something, and from where. */
export interface Actor {
  id: string | null;
  /** User name, or what somebody typed as one. */
  name: string;
  /** Address of the caller's connection; `server` for what the server does itself, `command line` for who runs a command. */
  address: string;
  /** The permissions of the API key that it was done with: what the key lacks it cannot give. Absent: it was no key. */
  scopes?: readonly string[];
}

/** The server itself as an actor, for what it finishes or undoes after a crash. */
export const SERVER_ACTOR: Actor = { id: null, name: 'server', address: 'server' };

/** Whoever runs `npm run admin` on the machine, with the name of their account there. */
export const COMMAND_LINE_ACTOR: Actor = { id: null, name: `command line (${accountName()})`, address: 'command line' };

/** Those whose acts need no permission: who may start them may also change the database. */
export const UNRESTRICTED_ACTORS: ReadonlySet<Actor> = new Set([SERVER_ACTOR, COMMAND_LINE_ACTOR]);

/** Who made a new record, and when. Nobody has changed it yet. */
export const newStamps = ({ id }: Actor, at: Date) => ({
  createdBy: id,
  updatedBy: null,
  createdAt: at,
  updatedAt: at,
});

/** The signed-in user of a request. */
export interface Caller {
  id: string;
  sessionId: string;
  userName: string;
  role: string;
  /** Whether the call came with an API token, which can only read. */
  readOnly: boolean;
  /** When the person of the session last proved who they are; null for what cannot prove anything, such as an API token. */
  provedAt: Date | null;
  /** The API key that the call came with; absent: it came from a session, or with an API token. */
  key?: CallerKey;
}

/** An API key that was accepted. */
export interface CallerKey {
  name: string;
  publicId: string;
  /** SHA-256 of the key as it was sent. */
  hash: Buffer;
  scopes: readonly string[];
}

/** In a container the process's user may have no name. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
