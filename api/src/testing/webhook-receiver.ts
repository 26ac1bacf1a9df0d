import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A call that a receiver has read whole. */
interface ReceivedCall {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** How a receiver answers: a status, with headers or a text; it never does, cuts the connection off, or does so within the answer's body. */
export type ReceiverAnswer =
  | number
  | { status: number; headers?: Record<string, string>; text?: string }
  | 'hang'
  | 'cut'
  | 'torn';

/** A real HTTP server on a port of this machine that webhooks send to. */
export interface WebhookReceiver {
  port: number;
  url: string;
  calls: ReceivedCall[];
  /** What the next calls are answered; 200 at first. */
  answer: (call: ReceivedCall) => ReceiverAnswer | Promise<ReceiverAnswer>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<WebhookReceiver> {
  const server = createServer(async (request, response) => {
    const call = { path: request.url ?? '', headers: request.headers, body: await text(request) };
    receiver.calls.push(call);
    const answer = await receiver.answer(call);
    if (answer === 'hang') return;
    if (answer === 'cut') return void request.socket.destroy();
    if (answer === 'torn') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000 });
      return void response.write('{"status":200,', () => request.socket.destroy());
    }
    const { status, headers = {}, text: body = '' } = typeof answer === 'number' ? { status: answer } : answer;
    response.writeHead(status, headers).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    calls: [],
    answer: () => 200,
    async close() {
      server.closeAllConnections();
      await new Promise((fulfil) => void server.close(fulfil));
    },
  };
  return receiver;
}
