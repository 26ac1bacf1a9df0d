import { isUtf8 } from 'node:buffer';
import { AppError } from '../../../../errors.ts';

/** Turns bytes into text; undefined where they are none in that encoding, or cannot be stored. */
export type Decode = (bytes: Buffer) => string | undefined;

/** What the WHATWG's encoding standard calls PostgreSQL's encodings that it knows, and in which no byte of a letter is ASCII's. */
const LABELS: Record<string, string> = {
  WIN866: 'ibm866',
  WIN874: 'windows-874',
  ...Object.fromEntries([0, 1, 2, 3, 4, 5, 6, 7, 8].map((page) => [`WIN125${page}`, `windows-125${page}`])),
  LATIN2: 'iso-8859-2',
  LATIN3: 'iso-8859-3',
  LATIN4: 'iso-8859-4',
  LATIN6: 'iso-8859-10',
  LATIN7: 'iso-8859-13',
  LATIN8: 'iso-8859-14',
  LATIN9: 'iso-8859-15',
  LATIN10: 'iso-8859-16',
  ISO_8859_5: 'iso-8859-5',
  ISO_8859_6: 'iso-8859-6',
  ISO_8859_7: 'iso-8859-7',
  ISO_8859_8: 'iso-8859-8',
  KOI8R: 'koi8-r',
  KOI8U: 'koi8-u',
  EUC_JP: 'euc-jp',
  EUC_KR: 'euc-kr',
  EUC_CN: 'gb2312',
};

const utf8: Decode = (bytes) => (isUtf8(bytes) ? bytes.toString('utf8') : undefined);

const DECODERS: Record<string, Decode> = {
  UTF8: utf8,
  // PostgreSQL does not know what these bytes mean, and neither does anybody else: as everywhere today, UTF-8 is likely.
  SQL_ASCII: utf8,
  // Of the standard, 'latin1' is windows-1252.
  LATIN1: (bytes) => bytes.toString('latin1'),
};

/** @param encoding as PostgreSQL calls it @throws AppError conflict when it is none that can be read */
export function decoderOf(encoding: string): Decode {
  const decode = DECODERS[encoding] ?? standardDecoder(encoding);
  return (bytes) => (bytes.includes(0) ? undefined : decode(bytes));
}

function standardDecoder(encoding: string): Decode {
  const label = LABELS[encoding];
  if (label === undefined) {
    const message = `Texts in the encoding ${encoding} cannot be read: please make the archive with pg_dump --encoding=UTF8.`;
    throw new AppError('conflict', { message });
  }
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true });
  return (bytes) => {
    try {
      return decoder.decode(bytes);
    } catch {
      return undefined;
    }
  };
}

/** Bytes that are no text, for people: what is ASCII as it is, all else as \xHH. */
export const escaped = (bytes: Buffer): string =>
  bytes.toString('latin1').replace(/[^\x20-\x7e]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
