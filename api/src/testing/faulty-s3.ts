import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/**
 * What happens to one request: it is cut off in the midst of its body; it is carried out, but the answer is lost; it is refused with a
 * status; a byte of its body is changed on the way; its answer breaks off in the midst; it goes on when a promise is fulfilled.
 */
export type Fault = 'cut' | 'lose-answer' | 'break-off' | { refuse: number } | 'change' | { hold: Promise<unknown> };

/** The calls of S3 that a store sends. */
type Call = 'begin' | 'part' | 'complete' | 'abort' | 'list' | 'describe' | 'read' | 'remove';

/** A proxy before a server that speaks like S3. */
export interface FaultyS3 {
  url: string;
  /** Chooses the fault of each request, by its call and the path of what it is for; undefined: none. */
  choose(fault: (call: Call, path: string) => Fault | undefined): void;
  /** How often each call came. */
  calls: Map<Call, number>;
  /** Passes on to another port from now on: the server behind has been started again. */
  passTo(port: number): void;
  close(): Promise<void>;
}

interface Upload {
  id: string;
  key: string;
}

/**
 * Passes requests on to a server on this machine. fauxqs knows no ListMultipartUploads: the proxy answers that from the uploads that it
 * has seen the server begin, complete and abort.
 */
export async function openFaultyS3(firstPort: number): Promise<FaultyS3> {
  let port = firstPort;
  const uploads = new Map<string, Upload>();
  const calls = new Map<Call, number>();
  let choose: (call: Call, path: string) => Fault | undefined = () => undefined;
  const proxy = createServer(async (incoming, reply) => {
    incoming.on('error', () => {});
    // A request that is not read to its end loses its socket.
    const { socket } = incoming;
    const call = callOf(incoming);
    calls.set(call, (calls.get(call) ?? 0) + 1);
    const fault = choose(call, incoming.url ?? '');
    if (typeof fault === 'object' && 'hold' in fault) await fault.hold;
    if (typeof fault === 'object' && 'refuse' in fault) return refuse(incoming, reply, fault.refuse);
    const body = await readBody(incoming, fault === 'cut');
    if (body === undefined) return socket.destroy();
    if (call === 'list' && fault === undefined) return answer(reply, 200, listOf(uploads, incoming));
    const [first] = body;
    if (fault === 'change' && first !== undefined) body[0] = first ^ 1;
    const answered = await passOn(port, incoming, body).catch(() => undefined);
    if (answered) note(uploads, call, incoming, answered);
    if (!answered || fault === 'lose-answer') return socket.destroy();
    reply.writeHead(answered.status, answered.headers);
    if (fault !== 'break-off') return reply.end(answered.body);
    reply.write(answered.body.subarray(0, answered.body.length / 2), () => socket.destroy());
  });
  await new Promise<void>((fulfil) => proxy.listen(0, '127.0.0.1', fulfil));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    calls,
    choose(fault) {
      choose = fault;
    },
    passTo(other) {
      port = other;
    },
    close: async () => {
      proxy.closeAllConnections();
      await new Promise((fulfil) => proxy.close(fulfil));
    },
  };
}

const addressOf = ({ url = '/' }: IncomingMessage) => new URL(url, 'http://s3');

function callOf(incoming: IncomingMessage): Call {
  const { searchParams } = addressOf(incoming);
  const isOfUpload = searchParams.has('uploadId');
  switch (incoming.method) {
    case 'POST':
      return isOfUpload ? 'complete' : 'begin';
    case 'PUT':
      return 'part';
    case 'DELETE':
      return isOfUpload ? 'abort' : 'remove';
    case 'HEAD':
      return 'describe';
    default:
      return searchParams.has('uploads') ? 'list' : 'read';
  }
}

/** @param isCut reads about half of it @returns undefined when it was cut off */
async function readBody(incoming: IncomingMessage, isCut: boolean): Promise<Buffer | undefined> {
  const half = Number(incoming.headers['content-length'] ?? 0) / 2;
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of incoming) {
      chunks.push(chunk);
      length += chunk.length;
      if (isCut && length >= half) return undefined;
    }
  } catch {
    return undefined;
  }
  return isCut ? undefined : Buffer.concat(chunks);
}

interface Answered {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

function passOn(port: number, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Answered> {
  return new Promise((fulfil, reject) => {
    const passed = request({ host: '127.0.0.1', port, method, path: url, headers, agent: false }, async (response) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of response) chunks.push(chunk);
        fulfil({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      } catch (error) {
        reject(error);
      }
    });
    passed.on('error', reject);
    passed.end(body);
  });
}

function note(uploads: Map<string, Upload>, call: Call, incoming: IncomingMessage, { status, body }: Answered): void {
  if (status >= 300) return;
  const { pathname, searchParams } = addressOf(incoming);
  const [, , ...key] = pathname.split('/');
  if (call === 'begin') {
    const [, id = ''] = /<UploadId>([^<]+)</.exec(body.toString()) ?? [];
    uploads.set(id, { id, key: key.join('/') });
  }
  if (call === 'complete' || call === 'abort') uploads.delete(searchParams.get('uploadId') ?? '');
}

function listOf(uploads: Map<string, Upload>, incoming: IncomingMessage): string {
  const prefix = addressOf(incoming).searchParams.get('prefix') ?? '';
  const entries = [...uploads.values()]
    .filter(({ key }) => key.startsWith(prefix))
    .map(({ id, key }) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`);
  return `<ListMultipartUploadsResult>${entries.join('')}</ListMultipartUploadsResult>`;
}

function answer(reply: ServerResponse, status: number, xml: string): void {
  reply.writeHead(status, { 'content-type': 'application/xml' }).end(xml);
}

const REASONS: Record<number, string> = { 503: 'SlowDown', 507: 'InsufficientStorage' };

async function refuse(incoming: IncomingMessage, reply: ServerResponse, status: number): Promise<void> {
  incoming.resume();
  // A server that is too busy is slow to say so.
  await setTimeout(1);
  answer(reply, status, `<Error><Code>${REASONS[status]}</Code><Message>No room for this.</Message></Error>`);
}
