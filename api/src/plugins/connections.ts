import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How many connections a server process has at once. */
const MAX_CONNECTIONS = 1_000;
/**
 * The slowest rate at which a client may read, in bytes a second. A large answer is one write, whose progress nobody sees, so more
 * time is given for more bytes.
 */
const SLOWEST_RATE = 16 * 1024;

/** The connections of a server. */
export interface Connections {
  /** Ends connections without a request, from now on also new ones. */
  closeIdle(): void;
  closeAll(): void;
}

interface Connection {
  /** Requests that are being answered. */
  requests: number;
  /** Bytes that the client has read, and since when that has not changed, in milliseconds. */
  taken: number;
  since: number;
}

/**
 * Limits the connections of a server. There are at most 1,000; a new one then replaces the oldest one without a request.
 * Connections whose client does not read its answer are ended. Node's own `closeIdleConnections` skips connections that have not
 * sent a request yet, as browsers open them in advance, and `close` would wait for them for ever.
 * @param writeTimeout milliseconds after which a client that reads nothing is cut off
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

/**
 * Whether a client has read nothing for too long although data waits for it. A socket's own timeout would also count what the
 * client sends.
 */
function isStalled(socket: Socket, connection: Connection, writeTimeout: number): boolean {
  const now = performance.now();
  const waiting = socket.writableLength;
  const taken = socket.bytesWritten - waiting;
  if (waiting === 0 || taken !== connection.taken) Object.assign(connection, { taken, since: now });
  return now - connection.since > writeTimeout + (waiting / SLOWEST_RATE) * 1000;
}
