import { createHash } from 'node:crypto';
import type { S3Client } from '@aws-sdk/client-s3';
import type { S3StorePlace } from '../../../../backup-stores.ts';
import { AppError } from '../../../../errors.ts';
import type { BackupStore, NewCopy, StoredObject } from './backup-store.ts';
import { inParts } from './parts.ts';

/** Bytes of a part; each copy on its way takes so much memory. A larger archive has larger parts, as S3 takes 10,000. */
const PART = 8 * 1024 * 1024;
const MOST_PARTS = 9_000;
/** How often a part that was cut off or refused for want of time is sent. The client's pauses between grow to 3 seconds. */
const ATTEMPTS = 8;
/** How long a connection may take to open, and then to carry nothing, in milliseconds. */
const CONNECTING = 10_000;
const SILENCE = 60_000;
/** Of servers other than AWS, which mostly do not care. */
const ANY_REGION = 'us-east-1';

interface Place {
  bucket: string;
  key: string;
  signal: AbortSignal;
}

interface SentPart {
  number: number;
  etag: string | undefined;
  md5: Buffer;
}

/**
 * A bucket of S3 or of a server that speaks like it. Copies are uploaded in parts, whatever their size: an upload that is not completed
 * is never seen, and can be found and aborted by the name of its object.
 */
export function s3Store({ bucket, prefix, endpoint, region, profile }: S3StorePlace): BackupStore {
  let opening: Promise<Bucket> | undefined;
  const open = () => {
    opening ??= openBucket({ endpoint, region, profile });
    return opening;
  };
  const at = (name: string, signal: AbortSignal): Place => ({ bucket, key: prefix + name, signal });
  return {
    async put(copy) {
      const place = at(copy.name, copy.signal);
      const api = await open();
      await api.abortUploads(place);
      const sent = await upload(api, place, copy);
      // A beginning that was sent again has begun two.
      await api.abortUploads(place);
      return (await api.describe(place)) === `${sent.sizeBytes} ${sent.etag}`;
    },
    async *read(name, signal) {
      yield* await (await open()).read(at(name, signal));
    },
    async list(beginning, signal) {
      const found = await (await open()).list(at(beginning, signal));
      return found.map(({ name, storedAt }) => ({ name: name.slice(prefix.length), storedAt }));
    },
    async remove(name, signal) {
      const api = await open();
      await api.abortUploads(at(name, signal));
      await api.remove(at(name, signal));
    },
  };
}

/** @returns the size, and the ETag that an object of these parts has where ETags are MD5, as they are unless a KMS encrypts the object */
async function upload(api: Bucket, place: Place, copy: NewCopy): Promise<{ sizeBytes: number; etag: string }> {
  const id = await api.begin(place);
  const sent: SentPart[] = [];
  let sizeBytes = 0;
  try {
    for await (const part of inParts(copy.content, Math.max(PART, Math.ceil(copy.sizeBytes / MOST_PARTS)))) {
      const md5 = createHash('md5').update(part).digest();
      const number = sent.length + 1;
      sent.push({ number, md5, etag: await api.sendPart(place, id, number, part) });
      sizeBytes += part.length;
    }
    await api.complete(place, id, sent);
  } catch (error) {
    // Where this fails too, the next attempt or the deletion of the copy does it.
    await api.abortUploads({ ...place, signal: AbortSignal.timeout(CONNECTING) }).catch(() => {});
    throw error;
  }
  const etag = createHash('md5').update(Buffer.concat(sent.map(({ md5 }) => md5)));
  return { sizeBytes, etag: `"${etag.digest('hex')}-${sent.length}"` };
}

/** The calls of S3 that copies need. */
interface Bucket {
  begin(place: Place): Promise<string>;
  /** @returns the ETag */
  sendPart(place: Place, uploadId: string, number: number, body: Buffer): Promise<string | undefined>;
  complete(place: Place, uploadId: string, parts: readonly SentPart[]): Promise<void>;
  /** Aborts every upload of this object, so that no earlier attempt can complete one. */
  abortUploads(place: Place): Promise<void>;
  /** Size and ETag of an object. */
  describe(place: Place): Promise<string>;
  read(place: Place): Promise<AsyncIterable<Uint8Array>>;
  /** The objects whose names begin as the place's key. */
  list(place: Place): Promise<StoredObject[]>;
  remove(place: Place): Promise<void>;
}

/** The library is loaded when a server first needs it: most have no such store. */
async function openBucket({ endpoint, region, profile }: Partial<S3StorePlace>): Promise<Bucket> {
  const s3 = await import('@aws-sdk/client-s3');
  const client: S3Client = new s3.S3Client({
    forcePathStyle: true,
    region: region ?? process.env.AWS_REGION ?? ANY_REGION,
    ...(endpoint && { endpoint }),
    ...(profile && { profile }),
    maxAttempts: ATTEMPTS,
    // Each request is signed with the SHA-256 of its body. More checksums are refused by some servers that are not AWS.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECTING, socketTimeout: SILENCE },
  });
  const named = ({ bucket, key }: Place) => ({ Bucket: bucket, Key: key });
  const stoppedBy = ({ signal }: Place) => ({ abortSignal: signal });
  return {
    async begin(place) {
      const { UploadId } = await client.send(new s3.CreateMultipartUploadCommand(named(place)), stoppedBy(place));
      if (UploadId === undefined) throw new Error('The store began no upload.');
      return UploadId;
    },
    async sendPart(place, UploadId, PartNumber, Body) {
      const command = new s3.UploadPartCommand({ ...named(place), UploadId, PartNumber, Body });
      return (await client.send(command, stoppedBy(place))).ETag;
    },
    async complete(place, UploadId, parts) {
      const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }));
      const command = new s3.CompleteMultipartUploadCommand({ ...named(place), UploadId, MultipartUpload: { Parts } });
      await client.send(command, stoppedBy(place)).catch((error: unknown) => {
        // Sent again after its answer was lost: whether the object is there is found out next.
        if (!(error instanceof s3.NoSuchUpload)) throw error;
      });
    },
    async abortUploads(place) {
      const { bucket: Bucket, key } = place;
      const query = new s3.ListMultipartUploadsCommand({ Bucket, Prefix: key });
      const { Uploads = [] } = await client.send(query, stoppedBy(place));
      for (const { Key, UploadId } of Uploads) {
        if (Key !== key) continue;
        const command = new s3.AbortMultipartUploadCommand({ Bucket, Key, UploadId });
        await client.send(command, stoppedBy(place)).catch((error: unknown) => {
          if (!(error instanceof s3.NoSuchUpload)) throw error;
        });
      }
    },
    async describe(place) {
      const { ContentLength, ETag } = await client.send(new s3.HeadObjectCommand(named(place)), stoppedBy(place));
      return `${ContentLength} ${ETag}`;
    },
    async read(place) {
      const { Body } = await client
        .send(new s3.GetObjectCommand(named(place)), stoppedBy(place))
        .catch((error: unknown) => {
          if (!(error instanceof s3.NoSuchKey)) throw error;
          throw new AppError('not-found', { message: 'The copy is gone.' }, { cause: error });
        });
      // Node.js gets a Readable.
      return Body as unknown as AsyncIterable<Uint8Array>;
    },
    async list(place) {
      const query = { Bucket: place.bucket, Prefix: place.key };
      const found: StoredObject[] = [];
      const pages = s3.paginateListObjectsV2({ client }, query, stoppedBy(place));
      for await (const { Contents = [] } of pages) {
        for (const { Key = '', LastModified = new Date(0) } of Contents) {
          found.push({ name: Key, storedAt: LastModified });
        }
      }
      return found;
    },
    async remove(place) {
      await client.send(new s3.DeleteObjectCommand(named(place)), stoppedBy(place));
    },
  };
}
