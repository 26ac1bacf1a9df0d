import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Connections that a server process has at once. */
const MAX_CONNECTIONS = 1_000;
/** What waits to be taken may wait longer the more it is: a large answer is one write, and nobody sees how far it is. Bytes a second. */
const SLOWEST_RATE = 16 * 1024;

/** The connections of a server. */
export interface Connections {
  /** Ends those that are answered nothing, from now on new ones too. */
  closeIdle(): void;
  closeAll(): void;
}

interface Connection {
  /** Requests that it is answered at the moment. */
  requests: number;
  /** Bytes that the client has taken, and since when it is no more, in milliseconds. */
  taken: number;
  since: number;
}

/**
 * Keeps the connections of a server within bounds: at most 1,000, of which the oldest that is answered nothing gives way to a
 * new one, and none whose client takes nothing of its answer. Node's own `closeIdleConnections` passes over a connection
 * that has not asked anything yet, and `close` waits for it without an end: browsers open such connections ahead.
 * @param writeTimeout milliseconds in which a client must take something of what waits for it
 */
export function trackConnections(server: Server, writeTimeout: number): Connections {
  /** Oldest first. */
  const connections = new Map<Socket, Connection>();
  let isClosing = false;
  const endIdle = (socket: Socket) => {
    if (isClosing && connections.get(socket)?.requests === 0) socket.destroySoon();
  };
  server.on('connection', (socket: Socket) => {
    if (connections.size >= MAX_CONNECTIONS) (findIdle(connections) ?? socket).destroy();
    connections.set(socket, { requests: 0, taken: 0, since: performance.now() });
    socket.once('close', () => connections.delete(socket));
    endIdle(socket);
  });
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(socket);
    if (!connection) return;
    connection.requests += 1;
    response.once('close', () => {
      connection.requests -= 1;
      endIdle(socket);
    });
  });
  const sweeping = setInterval(() => {
    for (const [socket, connection] of connections) if (isStalled(socket, connection, writeTimeout)) socket.destroy();
  }, writeTimeout / 4).unref();
  server.once('close', () => clearInterval(sweeping));
  return {
    closeIdle() {
      isClosing = true;
      for (const socket of connections.keys()) endIdle(socket);
    },
    closeAll() {
      for (const socket of connections.keys()) socket.destroy();
    },
  };
}

function findIdle(connections: ReadonlyMap<Socket, Connection>): Socket | undefined {
  for (const [socket, { requests }] of connections) if (requests === 0) return socket;
  return undefined;
}

/** Whether something waits for a client that has taken nothing for too long. A socket's own timeout would also count what it sends. */
function isStalled(socket: Socket, connection: Connection, writeTimeout: number): boolean {
  const now = performance.now();
  const waiting = socket.writableLength;
  const taken = socket.bytesWritten - waiting;
  if (waiting === 0 || taken !== connection.taken) Object.assign(connection, { taken, since: now });
  return now - connection.since > writeTimeout + (waiting / SLOWEST_RATE) * 1000;
}
