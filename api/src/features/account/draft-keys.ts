import { hkdfSync } from 'node:crypto';
import { DRAFT_HOURS, type DraftKeys } from '@apotheca/contract/account';
import type { Context } from '../../context.ts';

const HOUR = 3_600_000;

/**
 * The keys with which a user's browser encrypts what is typed and not saved, an hour each. They follow from the installation's
 * secret and the user's id alone, so that another session of the same user has the same ones, also after a new password; a key
 * that is too old is given to nobody any more.
 */
export function draftKeysOf({ keys, now }: Pick<Context, 'keys' | 'now'>, userId: string): DraftKeys {
  const newest = Math.floor(now().getTime() / HOUR);
  return Array.from({ length: DRAFT_HOURS }, (_, age) => {
    const hour = newest - age;
    const key = hkdfSync('sha256', keys.drafts, '', `${userId} ${hour}`, 32);
    return { hour, key: Buffer.from(key).toString('base64url') };
  });
}
