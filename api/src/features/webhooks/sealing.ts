import type { Context } from '../../context.ts';
import { decrypt, encrypt } from '../../secrets.ts';

/** What of a webhook nobody reads in the database. */
export interface Sealed {
  url: string;
  /** Empty of a chat. */
  secret: string;
  /** The one before the last rotation; absent: there is none. */
  previousSecret?: string;
}

export const seal = ({ keys }: Context, content: Sealed): Buffer => encrypt(keys.webhooks, JSON.stringify(content));

/** @returns undefined where it was sealed under another APOTHECA_SECRET */
export function unseal({ keys }: Context, sealed: Buffer): Sealed | undefined {
  try {
    return JSON.parse(decrypt(keys.webhooks, sealed));
  } catch {
    return undefined;
  }
}
