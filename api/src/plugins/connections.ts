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
  /** With TLS the encrypted one, once the handshake has ended. */
  socket: Socket;
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
  const connections = new Map<string, Connection>();
  let isClosing = false;
  const endIdle = ({ socket, requests }: Connection) => {
    if (isClosing && requests === 0) socket.destroySoon();
  };
  server.on('connection', (socket: Socket) => {
    if (connections.size >= MAX_CONNECTIONS) (findIdle(connections) ?? socket).destroy();
    const client = clientOf(socket);
    const connection = { socket, requests: 0, taken: 0, since: performance.now() };
    connections.set(client, connection);
    socket.once('close', () => {
      if (connections.get(client) === connection) connections.delete(client);
    });
    endIdle(connection);
  });
  server.on('secureConnection', (socket: Socket) => {
    const connection = connections.get(clientOf(socket));
    if (connection) connection.socket = socket;
  });
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(clientOf(socket));
    if (!connection) return;
    connection.requests += 1;
    response.once('close', () => {
      connection.requests -= 1;
      endIdle(connection);
    });
  });
  const sweeping = setInterval(() => {
    for (const connection of connections.values()) {
      if (isStalled(connection, writeTimeout)) connection.socket.destroy();
    }
  }, writeTimeout / 4).unref();
  server.once('close', () => clearInterval(sweeping));
  return {
    closeIdle() {
      isClosing = true;
      for (const connection of connections.values()) endIdle(connection);
    },
    closeAll() {
      for (const { socket } of connections.values()) socket.destroy();
    },
  };
}

/** The far end of a connection, by which a socket before the handshake of TLS and the encrypted one after it are known as one. */
const clientOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;

function findIdle(connections: ReadonlyMap<string, Connection>): Socket | undefined {
  for (const { socket, requests } of connections.values()) if (requests === 0) return socket;
  return undefined;
}

/**
 * Whether a client has read nothing for too long although data waits for it. A socket's own timeout would also count what the
 * client sends.
 */
function isStalled(connection: Connection, writeTimeout: number): boolean {
  const { socket } = connection;
  const now = performance.now();
  const waiting = socket.writableLength;
  const taken = socket.bytesWritten - waiting;
  if (waiting === 0 || taken !== connection.taken) Object.assign(connection, { taken, since: now });
  return now - connection.since > writeTimeout + (waiting / SLOWEST_RATE) * 1000;
}
