import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { FAQ_IMAGE_LIMITS, type FaqImage } from '@apotheca/contract/faq-images';
import { PICTURES, picturesIn } from '@apotheca/contract/rich-text';
import { LRUCache } from 'lru-cache';
import type { Actor } from '../../../actor.ts';
import { appendAudit } from '../../../audit/audit.service.ts';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import {
  countPictures,
  findPicture,
  keepPictures,
  lockPicturesOf,
  sweepPictures,
  upsertPicture,
} from './images.repository.ts';
import { makePicture, readPictureFile } from './picture-file.ts';

const MINUTE = 60_000;
/** For how long a picture that no text names is kept. */
const UNUSED_KEPT = 7 * 24 * 60 * MINUTE;

/** Of how many persons a server process knows when they uploaded. */
const KNOWN = 10_000;
const uploads = new LRUCache<string, number[]>({ max: KNOWN });

/**
 * Counts an upload of a person. Each process counts for itself, before it decodes: one picture is decoded at a time, and one that is
 * stored again, or is none, leaves no row that could be counted.
 * @throws AppError too-many
 */
function countUpload({ clusters, now }: Context, userId: string | null): void {
  const key = `${clusters.home.url} ${userId}`;
  const time = now().getTime();
  // What was uploaded while the clock was ahead would count for as long as it was.
  const recent = (uploads.get(key) ?? []).filter((at) => Math.abs(at - time) < MINUTE);
  if (recent.length >= FAQ_IMAGE_LIMITS.perMinute) throw tooMany();
  uploads.set(key, [...recent, time]);
}

function tooMany(): AppError {
  const message = `You can upload ${FAQ_IMAGE_LIMITS.perMinute} pictures a minute. Please wait.`;
  return new AppError('too-many', { message, retryAfter: MINUTE / 1000 });
}

/**
 * Stores a picture for rich text.
 * @param recheck refuses whoever may no longer store it once its bytes have come
 * @throws AppError invalid, too-many
 */
export async function storePicture(
  context: Context,
  actor: Actor,
  { content, recheck }: { content: Readable; recheck(): Promise<void> },
): Promise<FaqImage> {
  countUpload(context, actor.id);
  const file = await readPictureFile(content);
  await recheck();
  const { bytes, width, height } = await makePicture(file);
  const hash = createHash('sha256').update(bytes).digest('hex');
  const now = context.now();
  await context.platform.transaction().execute(async (trx) => {
    await lockPicturesOf(trx, actor.id);
    const apart = (milliseconds: number) => new Date(now.getTime() + milliseconds);
    // What a clock stored that was ahead would count for as long as it was; those of two machines differ a little.
    const stored = await countPictures(trx, actor.id, apart(-MINUTE), apart(MINUTE));
    if (stored >= FAQ_IMAGE_LIMITS.perMinute) throw tooMany();
    await upsertPicture(trx, { hash, bytes, width, height, createdBy: actor.id, createdAt: now, unusedSince: now });
    const changes = { width, height, size: bytes.length };
    await appendAudit(context, trx, {
      actor,
      action: 'faqImages.upload',
      entity: 'faqImages',
      entityId: hash,
      changes,
    });
  });
  return { src: PICTURES + hash, width, height };
}

/** The bytes of a picture, WebP. @throws AppError not-found */
export async function getPicture({ platform }: Context, hash: string): Promise<Buffer> {
  const bytes = /^[0-9a-f]{64}$/.test(hash) ? await findPicture(platform, hash) : undefined;
  if (!bytes) throw new AppError('not-found', { message: 'There is no such picture.' });
  return bytes;
}

/** Whether all pictures of a text are stored. They then stay for the time that saving it takes, and long after. */
export async function hasPictures({ platform }: Context, html: string): Promise<boolean> {
  const named = picturesIn(html);
  return named.length === 0 || (await keepPictures(platform, named)).length === named.length;
}

/**
 * Deletes pictures that no text has named for a week.
 * @param stopping ends it after the pictures that are just looked at
 */
export async function deleteUnusedPictures({ platform, now }: Context, stopping?: AbortSignal): Promise<void> {
  const moments = { now: now(), before: new Date(now().getTime() - UNUSED_KEPT) };
  let last: string | undefined = '';
  while (last !== undefined && !stopping?.aborted) last = await sweepPictures(platform, last, moments);
}
