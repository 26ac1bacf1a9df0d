import { pipeline, Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptedBy, COMPRESSED_FROM, type Coding, compress, compressingStream } from './content-coding.ts';

/** Types of texts. Archives, pictures and fonts are compressed already. */
const TEXTS = /^text\/|^application\/(json|javascript|xml)\b|^[\w.-]+\/[\w.-]+\+(json|xml)\b/i;

type Payload = string | Buffer | Readable;

/**
 * Compresses answers that are texts of 1 KiB or more, streams as they come. What is compressed already stays as it is, and so does what
 * says `no-transform` (decision 033).
 */
export function registerCompression(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    // It stands for an answer that would depend on the header.
    if (reply.statusCode === 304) varyByEncoding(reply);
    if (!isPayload(payload) || !isText(reply)) return payload;
    const { coding, refusesIdentity } = acceptedBy(request.headers['accept-encoding']);
    const size = sizeOf(reply, payload);
    if (size === 0 || (size < COMPRESSED_FROM && !refusesIdentity)) return payload;
    varyByEncoding(reply);
    return coding ? encode(request, reply, payload, coding) : payload;
  });
}

const isPayload = (payload: unknown): payload is Payload =>
  typeof payload === 'string' || Buffer.isBuffer(payload) || payload instanceof Readable;

/** Whether an answer is a whole text that may be compressed. */
function isText(reply: FastifyReply): boolean {
  return (
    TEXTS.test(String(reply.getHeader('content-type') ?? '')) &&
    !reply.hasHeader('content-encoding') &&
    !reply.hasHeader('content-range') &&
    !String(reply.getHeader('cache-control') ?? '').includes('no-transform')
  );
}

/** Bytes of a body; those of a stream that does not say are without limit. */
function sizeOf(reply: FastifyReply, payload: Payload): number {
  if (!(payload instanceof Readable)) return Buffer.byteLength(payload);
  return Number(reply.getHeader('content-length') ?? Number.POSITIVE_INFINITY);
}

async function encode(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: Payload,
  coding: Coding,
): Promise<Payload> {
  const etag = reply.getHeader('etag');
  // The same in every coding, so not byte for byte.
  if (typeof etag === 'string' && !etag.startsWith('W/')) reply.header('etag', `W/${etag}`);
  // A part of this answer cannot be asked for.
  reply.header('content-encoding', coding).removeHeader('content-length').removeHeader('accept-ranges');
  if (!(payload instanceof Readable)) return compress(Buffer.from(payload), coding);
  if (request.method === 'HEAD') return payload;
  // When either of the two ends early, so does the other. Fastify notes what went wrong.
  return pipeline(payload, compressingStream(coding), () => {});
}

/** Tells caches that the answer depends on Accept-Encoding. */
function varyByEncoding(reply: FastifyReply): void {
  const vary = String(reply.getHeader('vary') ?? '');
  if (/\*|accept-encoding/i.test(vary)) return;
  reply.header('vary', vary === '' ? 'Accept-Encoding' : `${vary}, Accept-Encoding`);
}
