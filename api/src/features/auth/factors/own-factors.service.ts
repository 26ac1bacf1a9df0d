import {
  type OwnFactors,
  PASSKEY_LIMIT,
  type PasskeyAttestation,
  type PasskeyCreation,
} from '@apotheca/contract/second-factors';
import type { TotpEnrolment } from '@apotheca/contract/sign-in-step';
import { z } from 'zod';
import type { Actor, Caller } from '../../../actor.ts';
import { appendAudit } from '../../../audit/audit.service.ts';
import type { Context } from '../../../context.ts';
import type { Trx } from '../../../db/platform.ts';
import { AppError, fieldError } from '../../../errors.ts';
import { findCaller } from '../callers.repository.ts';
import { idleSince } from '../session-times.ts';
import { nameOf } from '../sign-in-session.ts';
import { findUserById, lockUser, type UserRow } from '../sign-in-users.repository.ts';
import { addTotp, makeFirstRecoveryCodes, replaceRecoveryCodes } from './factor-changes.ts';
import {
  countRecoveryCodes,
  deletePasskey,
  deleteRecoveryCodes,
  deleteTotp,
  findTotp,
  insertPasskey,
  listPasskeys,
  setPasskeyName,
} from './factors.repository.ts';
import { requireRelyingParty } from './passkey-sign-in.service.ts';
import { creationOptions, verifyCreation } from './passkeys.ts';
import { relyingPartyOf } from './relying-party.ts';
import { seal, unseal } from './sealed-tokens.ts';
import { matchTotp, newTotp } from './totp.ts';

/** What a begun change of factors is about: it counts until anything else of what the user signs in with changes. */
const begunTotp = z.object({ userId: z.string(), version: z.number(), secret: z.string() });
const begunPasskey = z.object({ userId: z.string(), version: z.number(), challenge: z.string() });

type Added = { recoveryCodes: string[] | null };

/** By what a user signs in, beside the password. */
export async function getOwnFactors(context: Context, caller: Caller, origin: string): Promise<OwnFactors> {
  const { platform } = context;
  const user = await getUser(context, caller);
  const [totp, passkeys, codes] = await Promise.all([
    findTotp(platform, user.id),
    listPasskeys(platform, user.id),
    countRecoveryCodes(platform, user.id),
  ]);
  return {
    totpSinceUtc: totp?.createdAt.toISOString() ?? null,
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      createdOnUtc: createdAt.toISOString(),
      lastUsedOnUtc: lastUsedAt?.toISOString() ?? null,
    })),
    recoveryCodesLeft: codes.unused,
    isRequired: user.requiresSecondFactor,
    passkeyOrigin: relyingPartyOf(context, origin)?.origin ?? null,
  };
}

/** A new secret for an authenticator app. Nothing is kept of it here until a first code has confirmed it. */
export async function beginTotp(context: Context, caller: Caller): Promise<TotpEnrolment & { token: string }> {
  const user = await getUser(context, caller);
  if (user.hasTotp) throw appExists();
  const enrolment = await newTotp(nameOf(user));
  const claims = { userId: user.id, version: user.credentialsVersion, secret: enrolment.secret };
  return { ...enrolment, token: await seal(context, 'totp enrolment', claims) };
}

/** Adds the authenticator app of {@link beginTotp}. @throws AppError conflict, already-exists, invalid */
export async function confirmTotp(
  context: Context,
  caller: Caller,
  actor: Actor,
  { token, code }: { token: string; code: string },
): Promise<Added> {
  const begun = await unseal(context, 'totp enrolment', begunTotp, token);
  return changeFactors(context, caller, async (trx, user) => {
    if (user.hasTotp) throw appExists();
    const { secret } = stillCounting(begun, user);
    const lastStep = await matchTotp(secret, code, { now: context.now(), lastStep: 0 });
    if (lastStep === undefined) throw fieldError('invalid', 'code', 'This code is not right.');
    await addTotp(context, trx, user.id, { secret, lastStep });
    const recoveryCodes = await makeFirstRecoveryCodes(context, trx, user.id);
    await audit(context, trx, actor, 'factor-added', { method: 'totp' });
    return { recoveryCodes };
  });
}

/** Removes the authenticator app. @throws AppError not-found, protected */
export async function removeTotp(context: Context, caller: Caller, actor: Actor): Promise<void> {
  await changeFactors(context, caller, async (trx, user) => {
    if (!(await deleteTotp(trx, user.id)))
      throw new AppError('not-found', { message: 'There is no authenticator app.' });
    await settleLast(trx, user);
    await audit(context, trx, actor, 'factor-removed', { method: 'totp' });
  });
}

/** Makes recovery codes anew; the old ones are void. @throws AppError conflict without a second factor */
export async function makeRecoveryCodes(context: Context, caller: Caller, actor: Actor) {
  return changeFactors(context, caller, async (trx, user) => {
    if (!user.hasTotp && !user.hasPasskeys)
      throw new AppError('conflict', { message: 'Recovery codes need an authenticator app or a passkey.' });
    const recoveryCodes = await replaceRecoveryCodes(context, trx, user.id);
    await audit(context, trx, actor, 'recovery-codes-made', {});
    return { recoveryCodes };
  });
}

/** What a browser needs to make a passkey. @throws AppError conflict where passkeys cannot work, or there are too many */
export async function beginPasskey(
  context: Context,
  caller: Caller,
  origin: string,
): Promise<{ token: string; options: PasskeyCreation }> {
  const party = requireRelyingParty(context, origin);
  const user = await getUser(context, caller);
  const existing = await listPasskeys(context.platform, user.id);
  refuseTooMany(existing.length);
  const displayName = `${user.firstName} ${user.lastName}`.trim();
  const options = await creationOptions(party, { id: user.id, name: nameOf(user), displayName }, existing);
  const claims = { userId: user.id, version: user.credentialsVersion, challenge: options.challenge };
  return { token: await seal(context, 'passkey creation', claims), options };
}

/** Adds the passkey that a browser has made. @throws AppError conflict, invalid, already-exists */
export async function addPasskey(
  context: Context,
  caller: Caller,
  actor: Actor,
  { token, name, credential, origin }: { token: string; name: string; credential: PasskeyAttestation; origin: string },
): Promise<Added> {
  const party = requireRelyingParty(context, origin);
  const begun = await unseal(context, 'passkey creation', begunPasskey, token);
  const made = begun && (await verifyCreation(party, begun.challenge, credential));
  return changeFactors(context, caller, async (trx, user) => {
    stillCounting(begun, user);
    if (!made) throw fieldError('invalid', 'credential', 'This passkey is not accepted.');
    refuseTooMany((await listPasskeys(trx, user.id)).length);
    if (!(await insertPasskey(trx, { ...made, userId: user.id, name, createdAt: context.now() })))
      throw new AppError('already-exists', { message: 'This passkey is known already.' });
    const recoveryCodes = await makeFirstRecoveryCodes(context, trx, user.id);
    await audit(context, trx, actor, 'factor-added', { method: 'passkey', name });
    return { recoveryCodes };
  });
}

/** @throws AppError not-found */
export async function renamePasskey(
  context: Context,
  caller: Caller,
  actor: Actor,
  { id, name }: { id: string; name: string },
): Promise<void> {
  await changeFactors(context, caller, async (trx, user) => {
    if (!(await setPasskeyName(trx, user.id, id, name))) throw noPasskey();
    await audit(context, trx, actor, 'passkey-renamed', { name });
  });
}

/** @throws AppError not-found, protected */
export async function removePasskey(context: Context, caller: Caller, actor: Actor, id: string): Promise<void> {
  await changeFactors(context, caller, async (trx, user) => {
    const name = await deletePasskey(trx, user.id, id);
    if (name === undefined) throw noPasskey();
    await settleLast(trx, user);
    await audit(context, trx, actor, 'factor-removed', { method: 'passkey', name });
  });
}

/** After a factor was removed: the last one takes the recovery codes with it, unless the role needs one. @throws AppError protected */
async function settleLast(trx: Trx, { id, requiresSecondFactor }: UserRow): Promise<void> {
  const [totp, passkeys] = [await findTotp(trx, id), await listPasskeys(trx, id)];
  if (totp || passkeys.length > 0) return;
  if (requiresSecondFactor)
    throw new AppError('protected', { message: 'Your user role needs a second factor: add another one first.' });
  await deleteRecoveryCodes(trx, id);
}

/**
 * Changes the factors of the signed-in user, who is locked: one change at a time, and none for a session that has ended.
 * @throws AppError session-ended; what `work` throws
 */
function changeFactors<T>(context: Context, caller: Caller, work: (trx: Trx, user: UserRow) => Promise<T>): Promise<T> {
  return context.platform.transaction().execute(async (trx) => {
    await lockUser(trx, caller.id);
    const now = context.now();
    const isSignedIn = await findCaller(trx, { sessionId: caller.sessionId, now, idleSince: idleSince(now) });
    const user = isSignedIn && (await findUserById(trx, caller.id));
    if (!user) throw new AppError('session-ended');
    return work(trx, user);
  });
}

async function getUser({ platform }: Context, { id }: Caller): Promise<UserRow> {
  const user = await findUserById(platform, id);
  if (!user) throw new AppError('session-ended');
  return user;
}

/** @throws AppError conflict for a change that has expired, is another user's, or began before another change */
function stillCounting<Begun extends { userId: string; version: number }>(
  begun: Begun | undefined,
  user: UserRow,
): Begun {
  if (begun && begun.userId === user.id && begun.version === user.credentialsVersion) return begun;
  throw new AppError('conflict', { message: 'This has taken too long, or something has changed: please begin again.' });
}

function refuseTooMany(count: number): void {
  if (count < PASSKEY_LIMIT) return;
  throw new AppError('conflict', { message: `You have ${PASSKEY_LIMIT} passkeys: please remove one of them first.` });
}

const appExists = () => new AppError('already-exists', { message: 'There is an authenticator app already.' });
const noPasskey = () => new AppError('not-found', { message: 'There is no such passkey.' });

function audit(context: Context, trx: Trx, actor: Actor, verb: string, changes: Record<string, unknown>) {
  const event = { actor, action: `auth.${verb}`, entity: 'users', entityId: actor.id ?? '', changes };
  return appendAudit(context, trx, event);
}
