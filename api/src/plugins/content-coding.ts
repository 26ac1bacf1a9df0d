import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

/** Shorter bodies are sent as they are, in bytes. */
export const COMPRESSED_FROM = 1024;

/** From this size on a body is compressed in a thread of libuv's, in bytes: going there and back costs more than a smaller one does. */
const IN_THREAD_FROM = 32 * 1024;

const ZSTD = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } };
const BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } };
const GZIP = { level: 1 };

/** The content codings, the best first. Their levels are chosen by figures (decisions 029 and 033). */
const CODINGS = {
  zstd: {
    inThread: (bytes: Buffer) => promisify(zlib.zstdCompress)(bytes, ZSTD),
    atOnce: (bytes: Buffer) => zlib.zstdCompressSync(bytes, ZSTD),
    stream: (): Transform => zlib.createZstdCompress(ZSTD),
  },
  br: {
    inThread: (bytes: Buffer) => promisify(zlib.brotliCompress)(bytes, BROTLI),
    atOnce: (bytes: Buffer) => zlib.brotliCompressSync(bytes, BROTLI),
    stream: (): Transform => zlib.createBrotliCompress(BROTLI),
  },
  gzip: {
    inThread: (bytes: Buffer) => promisify(zlib.gzip)(bytes, GZIP),
    atOnce: (bytes: Buffer) => zlib.gzipSync(bytes, GZIP),
    stream: (): Transform => zlib.createGzip(GZIP),
  },
};
export type Coding = keyof typeof CODINGS;
const NAMES = Object.keys(CODINGS) as Coding[];

/** What a client's Accept-Encoding says. */
export interface Accepted {
  /** The best coding that it takes. Its own order says nothing: browsers name gzip first. Absent: none of ours. */
  coding: Coding | undefined;
  /** Whether it wants no body as it is. It gets one all the same where it takes none of our codings, as RFC 9110 §12.1 allows. */
  refusesIdentity: boolean;
}

/** @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3 Accept-Encoding */
export function acceptedBy(header: string | string[] | undefined): Accepted {
  const weights = new Map(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .map(weightOf),
  );
  const weight = (coding: string) => weights.get(coding) ?? weights.get('*');
  return {
    coding: NAMES.find((name) => (weight(name) ?? 0) > 0),
    refusesIdentity: weight('identity') === 0,
  };
}

/** A coding and its weight: ['gzip', 0.5] of 'gzip;q=0.5'. */
function weightOf(entry: string): [coding: string, weight: number] {
  const [coding = '', ...parameters] = entry.split(';').map((part) => part.trim());
  const [, weight = '1'] = /^q=([\d.]+)$/.exec(parameters.at(-1) ?? '') ?? [];
  return [coding, Number(weight)];
}

/** Compresses a whole body, in a thread from {@link IN_THREAD_FROM} on. */
export async function compress(bytes: Buffer, coding: Coding): Promise<Buffer> {
  const { inThread, atOnce } = CODINGS[coding];
  return bytes.length < IN_THREAD_FROM ? atOnce(bytes) : inThread(bytes);
}

/** Compresses what is sent as it comes. */
export const compressingStream = (coding: Coding): Transform => CODINGS[coding].stream();
