import type { Readable } from 'node:stream';
import { FAQ_IMAGE_LIMITS } from '@apotheca/contract/faq-images';
import pLimit from 'p-limit';
import { type AppError, fieldError } from '../../../errors.ts';

/** A picture as it is stored. */
export interface Picture {
  bytes: Buffer;
  width: number;
  height: number;
}

/** Seconds that reading and writing a picture may take. */
const TIME_LIMIT = 10;
const QUALITY = 85;

/** Readers of files that everybody makes pictures with. All others of libvips stay closed, whatever a file says that it is. */
const READERS = ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((format) => `VipsForeignLoad${format}Buffer`);

/** Decoding takes memory: a picture at a time. */
const turn = pLimit(1);

/** sharp and libvips take 30 MB: they are loaded with the first picture. */
let loading: ReturnType<typeof load> | undefined;

async function load() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: READERS });
  return sharp;
}

/** Reads a file, no more of it than a picture may have. @throws AppError invalid */
export async function readPictureFile(content: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > FAQ_IMAGE_LIMITS.bytes) throw refused('A picture may have at most 5 MiB.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Reads a picture by its content and writes it anew as WebP: upright, no larger than it is shown, the first of its frames, and without
 * anything but pixels, such as where it was taken.
 * @throws AppError invalid
 */
export function makePicture(file: Buffer): Promise<Picture> {
  return turn(async () => {
    loading ??= load();
    const sharp = await loading;
    const { side, pixels } = FAQ_IMAGE_LIMITS;
    try {
      const { data, info } = await sharp(file, { limitInputPixels: pixels, failOn: 'error', pages: 1 })
        .autoOrient()
        .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: QUALITY })
        .timeout({ seconds: TIME_LIMIT })
        .toBuffer({ resolveWithObject: true });
      return { bytes: data, width: info.width, height: info.height };
    } catch {
      throw refused('This is no PNG, JPEG, WebP or GIF picture of at most 25 million pixels.');
    }
  });
}

const refused = (message: string): AppError => fieldError('invalid', 'file', message);
