import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Opens a connection that sends requests and reads no answer. */
export async function askWithoutReading(port: number, path: string, times: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(times));
  return socket;
}
