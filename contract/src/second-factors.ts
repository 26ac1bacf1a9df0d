import { z } from 'zod';
import { sessionResult } from './auth.ts';
import { byId, count } from './fields.ts';
import { route } from './route.ts';
import { totpEnrolment } from './sign-in-step.ts';
import { id, requiredText, utcMoment } from './text.ts';

/** How many passkeys one user may have. */
export const PASSKEY_LIMIT = 20;
/** How many recovery codes are made at a time. */
export const RECOVERY_CODES = 10;

/** What a step was begun with, for the next one to carry. */
export const stepToken = z
  .string({ error: 'token is required' })
  .min(1, 'token is required')
  .max(4096, 'token is too long');
/** The message where a code is missing. */
export const CODE_REQUIRED = 'Code is required';

/** A code of the authenticator app, or a recovery code. */
export const stepCode = requiredText(40, CODE_REQUIRED, 'Code should not be more than 40 characters');
const passkeyName = requiredText(60, 'Name is required', 'Name should not be more than 60 characters');

/** Shown once: the server keeps only their hashes. */
const recoveryCodes = z.array(z.string());

const base64url = z.string().max(16_384);
const descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()).optional(),
});

/** What a browser needs to ask for a passkey (WebAuthn's PublicKeyCredentialRequestOptionsJSON). */
export const passkeyRequest = z.object({
  challenge: z.string(),
  timeout: z.number().optional(),
  rpId: z.string(),
  allowCredentials: z.array(descriptor).optional(),
  userVerification: z.literal('required'),
});
export type PasskeyRequest = z.infer<typeof passkeyRequest>;

/** What a browser needs to make a passkey (WebAuthn's PublicKeyCredentialCreationOptionsJSON). */
const creationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
  timeout: z.number().optional(),
  excludeCredentials: z.array(descriptor).optional(),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.boolean().optional(),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
});
export type PasskeyCreation = z.infer<typeof creationOptions>;

const credential = {
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
};

/** What a passkey has signed (WebAuthn's AuthenticationResponseJSON). */
export const passkeyAssertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.optional(),
  }),
});
export type PasskeyAssertion = z.infer<typeof passkeyAssertion>;

/** A passkey that was just made (WebAuthn's RegistrationResponseJSON). */
export const passkeyAttestation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
});
export type PasskeyAttestation = z.infer<typeof passkeyAttestation>;

export const passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdOnUtc: utcMoment,
  /** null: never. */
  lastUsedOnUtc: utcMoment.nullable(),
});
export type Passkey = z.infer<typeof passkey>;

/** By what the signed-in user signs in, beside the password. */
export const ownFactors = z.object({
  /** Since when there is an authenticator app; null: there is none. */
  totpSinceUtc: utcMoment.nullable(),
  passkeys: z.array(passkey),
  recoveryCodesLeft: z.number().int(),
  /** Whether the user's role needs a second factor. */
  isRequired: z.boolean(),
  /** The address of the console at which passkeys work; null: at none. */
  passkeyOrigin: z.string().nullable(),
});
export type OwnFactors = z.infer<typeof ownFactors>;

/** The first factor comes with recovery codes; null: there are some already. */
const addedFactor = z.object({ recoveryCodes: recoveryCodes.nullable() });

export const secondStepRoutes = {
  factor: route({
    feature: 'auth',
    summary: 'The second step of a sign-in: a code of the authenticator app, or a recovery code',
    base: 'identity',
    method: 'POST',
    path: '/authenticate/factor',
    permission: 'public',
    errors: ['session-ended', 'wrong-credentials', 'too-many'],
    body: z.object({ token: stepToken, method: z.enum(['totp', 'recovery']), code: stepCode }),
    /** With recovery codes where the code has set up the second factor. */
    result: sessionResult.extend({ recoveryCodes: recoveryCodes.optional() }),
    secret: true,
  }),
  passkeyOptions: route({
    feature: 'auth',
    summary: 'What a browser needs to sign in with a passkey, as the only step or as the second one',
    base: 'identity',
    method: 'POST',
    path: '/authenticate/passkeyoptions',
    permission: 'public',
    errors: ['session-ended', 'conflict'],
    /** `token`: that of the first step; null: the passkey is the only step. */
    body: z.object({ token: stepToken.nullable() }),
    result: z.object({ token: z.string(), options: passkeyRequest }),
    secret: true,
  }),
  passkey: route({
    feature: 'auth',
    summary: 'Sign in with a passkey',
    base: 'identity',
    method: 'POST',
    path: '/authenticate/passkey',
    permission: 'public',
    errors: ['session-ended', 'wrong-credentials', 'conflict', 'too-many'],
    body: z.object({ token: stepToken, credential: passkeyAssertion }),
    result: sessionResult,
    secret: true,
  }),
};

export const ownFactorRoutes = {
  get: route({
    feature: 'auth',
    summary: 'By what the signed-in user signs in, beside the password',
    base: 'identity',
    method: 'GET',
    path: '/account/factors/get',
    permission: 'signed-in',
    result: ownFactors,
  }),
  beginTotp: route({
    feature: 'auth',
    summary: 'Set up an authenticator app, which counts once a first code has confirmed it',
    base: 'identity',
    method: 'POST',
    path: '/account/factors/begintotp',
    permission: 'signed-in',
    fresh: true,
    result: totpEnrolment.extend({ token: z.string() }),
    secret: true,
  }),
  confirmTotp: route({
    feature: 'auth',
    summary: 'Set up the authenticator app with its first code',
    base: 'identity',
    method: 'POST',
    path: '/account/factors/confirmtotp',
    permission: 'signed-in',
    keyed: true,
    body: z.object({ token: stepToken, code: stepCode }),
    result: addedFactor,
    secret: true,
  }),
  removeTotp: route({
    feature: 'auth',
    summary: 'Remove the authenticator app',
    base: 'identity',
    method: 'DELETE',
    path: '/account/factors/removetotp',
    permission: 'signed-in',
    errors: ['not-found'],
    fresh: true,
    result: z.null(),
  }),
  makeRecoveryCodes: route({
    feature: 'auth',
    summary: 'Make recovery codes anew; the old ones are void',
    base: 'identity',
    method: 'POST',
    path: '/account/factors/recoverycodes',
    permission: 'signed-in',
    fresh: true,
    result: z.object({ recoveryCodes }),
    secret: true,
  }),
  beginPasskey: route({
    feature: 'auth',
    summary: 'Begin to add a passkey',
    base: 'identity',
    method: 'POST',
    path: '/account/factors/beginpasskey',
    permission: 'signed-in',
    fresh: true,
    result: z.object({ token: z.string(), options: creationOptions }),
    secret: true,
  }),
  addPasskey: route({
    feature: 'auth',
    summary: 'Add a passkey that the browser has made',
    base: 'identity',
    method: 'POST',
    path: '/account/factors/addpasskey',
    permission: 'signed-in',
    keyed: true,
    body: z.object({ token: stepToken, name: passkeyName, credential: passkeyAttestation }),
    result: addedFactor,
    secret: true,
  }),
  renamePasskey: route({
    feature: 'auth',
    summary: "Rename one of one's own passkeys",
    base: 'identity',
    method: 'PUT',
    path: '/account/factors/renamepasskey',
    permission: 'signed-in',
    body: z.object({ id: id(), name: passkeyName }),
    result: z.null(),
  }),
  removePasskey: route({
    feature: 'auth',
    summary: "Remove one of one's own passkeys",
    base: 'identity',
    method: 'DELETE',
    path: '/account/factors/removepasskey',
    permission: 'signed-in',
    fresh: true,
    query: byId,
    result: z.null(),
  }),
};

/** Whom it affects if a role needs a second factor. */
export const secondFactorPlan = z.object({
  /** The users who have none yet. */
  without: z.array(z.object({ id: z.string(), userName: z.string() })),
  /** How many sessions would end, as none was proved in them. */
  sessions: count,
});

export type SecondFactorPlan = z.infer<typeof secondFactorPlan>;

export const roleFactorRoutes = {
  planRequired: route({
    feature: 'auth',
    summary: 'Whom it would affect if users of a role needed a second factor',
    base: 'api',
    method: 'GET',
    path: '/roles/secondfactor/preview',
    permission: 'permissions.read',
    query: byId,
    result: secondFactorPlan,
  }),
  setRequired: route({
    feature: 'auth',
    summary: 'Whether users of a role need a second factor; sessions that never proved one end',
    base: 'api',
    method: 'PUT',
    path: '/roles/secondfactor',
    permission: 'permissions.write',
    fresh: true,
    body: z.object({ id: id(), required: z.boolean({ error: 'required must be true or false' }) }),
    result: z.null(),
  }),
};
