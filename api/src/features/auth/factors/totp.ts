import type { TotpEnrolment } from '@apotheca/contract/sign-in-step';

/** Seconds of a time step, and how far the clock of a phone may be off: one step each way (RFC 6238 §5.2). */
const STEP = 30;

/** Under which name an authenticator app lists the secret. */
const ISSUER = 'Apotheca';

/** A new secret: 160 random bits, as RFC 4226 §4 recommends. @param label whose it is */
export async function newTotp(label: string): Promise<TotpEnrolment> {
  const { generateSecret, generateURI } = await otplib();
  const secret = generateSecret();
  return { secret, uri: generateURI({ issuer: ISSUER, label, secret }) };
}

/**
 * The time step of a code: that of now, or the one before or after it.
 * @param lastStep no code of this step or of an earlier one counts
 * @returns undefined if the code is not right
 */
export async function matchTotp(
  secret: string,
  typed: string,
  { now, lastStep }: { now: Date; lastStep: number },
): Promise<number | undefined> {
  const token = typed.replace(/\s/g, '');
  const epoch = Math.floor(now.getTime() / 1000);
  // The library throws where the last step lies further ahead than any code that could be right.
  if (!/^\d{6}$/.test(token) || lastStep > epoch / STEP + 1) return undefined;
  const { verifySync } = await otplib();
  const result = verifySync({ secret, token, epoch, epochTolerance: STEP, afterTimeStep: lastStep });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}

/** Loaded when it is needed: most sign-ins have no code. */
const otplib = () => import('otplib/functional');
