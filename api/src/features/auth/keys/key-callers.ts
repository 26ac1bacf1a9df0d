import { API_KEY_OVERLAP_HOURS } from '@apotheca/contract/api-keys';
import type { Actor, Caller, CallerKey } from '../../../actor.ts';
import { addressTest } from '../../../address-range.ts';
import { appendAudit } from '../../../audit/audit.service.ts';
import type { Context } from '../../../context.ts';
import { isToCome } from '../../../db/due-moments.ts';
import { apartFromAttempts } from '../../../db/keyed-calls.ts';
import type { Trx } from '../../../db/platform.ts';
import { AppError } from '../../../errors.ts';
import type { CallNeeds } from '../caller-questions.repository.ts';
import { HOUR_SECONDS, inSeconds, SEEN_SECONDS } from '../session-times.ts';
import { type PresentedKey, readKey } from './key-format.ts';
import { findKeyCallers, type KeyCallerRow, type KeyQuestion, setKeyRefused, setKeyUsed } from './keys.repository.ts';

/** Why a key that is known is refused: the word in the audit trail, and the message. */
const REFUSALS = {
  revoked: 'This API key was revoked.',
  'owner-inactive': 'The owner of this API key is not active.',
  expired: 'This API key has expired.',
  rotated: 'This API key was rotated: please use the new one.',
  address: 'This API key cannot be used from this address.',
} as const;

/** Finds what is known of whoever calls with a key. */
export type FindKey = (question: KeyQuestion) => Promise<KeyCallerRow | undefined>;

/** Finds the owner of a key that a call came with, and notes once a minute that the key is in use. @throws AppError key-refused */
export async function identifyKey(context: Context, token: string, needs: CallNeeds, address: string, find: FindKey) {
  const presented = readKey(token);
  if (!presented) throw new AppError('key-refused');
  const row = await requireKey(context, presented, needs, address, find);
  const { keyId, keyName, userId, role, scopes, lastUsedAt, allowed, version, numbers } = row;
  const now = context.now();
  // Reading goes on where it cannot be noted, such as on a full disk.
  const isNoted =
    lastUsedAt && lastUsedAt > inSeconds(now, -SEEN_SECONDS) && lastUsedAt <= inSeconds(now, 2 * SEEN_SECONDS);
  if (!isNoted) await setKeyUsed(context.platform, keyId, now, address).catch(() => {});
  const key: CallerKey = { ...presented, name: keyName, scopes };
  const session = { sessionId: '', readOnly: false, provedAt: null };
  const caller: Caller = { id: userId, userName: nameOf(row), role, ...session, key };
  return { caller, allowed, version, numbers };
}

/** Reads what a key and its owner may do right now. @throws AppError key-refused if the key is not valid */
export async function requireKey(
  context: Context,
  { publicId, hash }: PresentedKey,
  needs: CallNeeds,
  address: string,
  find: FindKey = async (question) => (await findKeyCallers(context.platform, [question]))[0],
): Promise<KeyCallerRow> {
  const row = await find({ publicId, hash: hash.toString('hex'), ...needs });
  if (!row) throw new AppError('key-refused');
  const reason = reasonToRefuse(row, context.now(), address);
  if (!reason) return row;
  await noteRefusal(context, row, reason, address);
  throw new AppError('key-refused', { message: REFUSALS[reason] });
}

/** Whether the secret before a rotation still counts; no longer where a clock that was ahead has said until when. */
export const isOverlapping = (previousUntil: Date | null, now: Date): previousUntil is Date =>
  isToCome(previousUntil, now, API_KEY_OVERLAP_HOURS.max * HOUR_SECONDS * 1000);

function reasonToRefuse(row: KeyCallerRow, now: Date, address: string): keyof typeof REFUSALS | undefined {
  if (row.isRevoked) return 'revoked';
  if (!row.isOwnerActive) return 'owner-inactive';
  if (!row.isNewest && !isOverlapping(row.endsAt, now)) return 'rotated';
  if (row.endsAt <= now) return 'expired';
  if (row.addresses.length > 0 && !addressTest(row.addresses)(address)) return 'address';
  return undefined;
}

/**
 * Notes in the audit trail that a key was refused: once a minute for each key at most, so that nobody floods the trail. It is nothing that the
 * call has made, so the program may repeat that with its new secret.
 */
async function noteRefusal(context: Context, row: KeyCallerRow, reason: string, address: string): Promise<void> {
  const note = async (trx: Trx) => {
    if (!(await setKeyRefused(trx, row.keyId))) return;
    const actor: Actor = { id: row.userId, name: nameOf(row), address };
    const event = { actor, action: 'auth.key-refused', entity: 'api_keys', entityId: row.keyId, changes: { reason } };
    await appendAudit(context, trx, event);
  };
  await apartFromAttempts(() => context.platform.transaction().execute(note));
}

/** The name under which a key's acts stand in the audit trail. */
const nameOf = ({ userName, keyName }: KeyCallerRow): string => `${userName} (API key ${keyName})`;
