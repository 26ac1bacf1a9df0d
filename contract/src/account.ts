import { z } from 'zod';
import { confirmPassword, profile, requiredPassword } from './auth.ts';
import { browserAnswer, browserChallenge } from './openid-connect.ts';
import { route } from './route.ts';
import { passkeyAssertion, passkeyRequest, stepCode, stepToken } from './second-factors.ts';
import { utcMoment } from './text.ts';
import { matchingPasswords, nameFields } from './user-form.ts';
import { sentVersion, version } from './version.ts';

/** What people may change of their own record. User name, e-mail address and role stay with the administrators. */
export const accountForm = z.object(nameFields);

/** The signed-in user's own record, with the names that the fields have in the calls about users. */
export const account = profile
  .omit({ firstName: true, lastName: true })
  .extend({ fName: z.string(), lName: z.string(), version });
export type Account = z.infer<typeof account>;

/** One's own new password; the present one is asked for, as at the sign-in. */
export const ownPasswordForm = z
  .object({
    currentPassword: requiredPassword('Current Password is required'),
    password: requiredPassword('Password is Required'),
    confirmPassword: confirmPassword.min(1, 'Confirm Password is Required'),
  })
  .check(matchingPasswords);

/** What the signed-in user may do. A screen can tell before an act what it would be refused for; the server decides all the same. */
export const ownRights = z.object({
  /** Identifiers of the active permissions of the user's role. */
  permissions: z.array(z.string()),
  /** Roles whose users can grant permissions to the user's role, by name. */
  grantedBy: z.array(z.string()),
});
export type OwnRights = z.infer<typeof ownRights>;

/** By what the signed-in user can prove who they are; by none of these: they sign out and in again. */
export const proofWays = z.object({
  password: z.boolean(),
  /** Whether a code goes with the password, as at the sign-in. */
  code: z.boolean(),
  /** Whether their passkeys do, at the address at which the console was opened. */
  passkeys: z.boolean(),
  /** The provider by which they have signed in; null: by none, or it is no longer one of the settings. */
  provider: z.object({ id: z.string(), name: z.string() }).nullable(),
});
export type ProofWays = z.infer<typeof proofWays>;

/** The body of a proof by the password. */
export const proofByPassword = z.object({
  password: requiredPassword('Password is required'),
  /** Six digits are a code of the authenticator app, anything else is a recovery code. Absent: the user has no second factor. */
  code: stepCode.optional(),
});

/** For how many hours what was typed and not saved can be read again. */
export const DRAFT_HOURS = 24;

/** Keys for what the signed-in user types and has not saved, an hour each, the newest first: 256 bits in base64url. */
export const draftKeys = z.array(z.object({ hour: z.number().int(), key: z.string() }));
export type DraftKeys = z.infer<typeof draftKeys>;

const proved = z.object({ provedOnUtc: utcMoment });

export const accountRoutes = {
  proofWays: route({
    feature: 'account',
    summary: 'By what the signed-in user can prove again who they are',
    base: 'identity',
    method: 'GET',
    path: '/auth/prove/ways',
    permission: 'signed-in',
    result: proofWays,
  }),
  prove: route({
    feature: 'account',
    summary: 'Prove again by the password who is signed in, for calls that want a fresh proof',
    base: 'identity',
    method: 'POST',
    path: '/auth/prove',
    permission: 'signed-in',
    errors: ['too-many'],
    body: proofByPassword,
    result: proved,
  }),
  beginPasskeyProof: route({
    feature: 'account',
    summary: 'What a browser needs to prove again by a passkey who is signed in',
    base: 'identity',
    method: 'POST',
    path: '/auth/prove/passkeyoptions',
    permission: 'signed-in',
    errors: ['not-found'],
    result: z.object({ token: z.string(), options: passkeyRequest }),
    secret: true,
  }),
  proveByPasskey: route({
    feature: 'account',
    summary: 'Prove again by a passkey who is signed in',
    base: 'identity',
    method: 'POST',
    path: '/auth/prove/passkey',
    permission: 'signed-in',
    errors: ['too-many'],
    body: z.object({ token: stepToken, credential: passkeyAssertion }),
    result: proved,
  }),
  beginProviderProof: route({
    feature: 'account',
    summary: 'Begin to prove again by the provider who is signed in: where the browser goes',
    base: 'identity',
    method: 'POST',
    path: '/auth/prove/provider/begin',
    permission: 'signed-in',
    errors: ['not-found', 'provider-away'],
    body: z.object({ challenge: browserChallenge }),
    result: z.object({ url: z.string() }),
    secret: true,
  }),
  proveByProvider: route({
    feature: 'account',
    summary: "Prove again with the provider's answer who is signed in",
    base: 'identity',
    method: 'POST',
    path: '/auth/prove/provider/finish',
    permission: 'signed-in',
    errors: ['not-found', 'provider-away'],
    body: browserAnswer,
    result: proved,
    secret: true,
  }),
  draftKeys: route({
    feature: 'account',
    summary: 'Keys for what the signed-in user types and has not saved, which the browser keeps encrypted',
    base: 'api',
    method: 'GET',
    path: '/account/draftkeys',
    permission: 'signed-in',
    // What they open lies in the browser of who typed it.
    bySession: true,
    result: draftKeys,
    secret: true,
  }),
  get: route({
    feature: 'account',
    summary: "The signed-in user's own record",
    base: 'api',
    method: 'GET',
    path: '/account/get',
    permission: 'signed-in',
    result: account,
  }),
  rights: route({
    feature: 'account',
    summary: 'What the signed-in user may do, and who can grant more',
    base: 'api',
    method: 'GET',
    path: '/account/rights',
    permission: 'signed-in',
    result: ownRights,
  }),
  edit: route({
    feature: 'account',
    summary: "Change the signed-in user's own names and phone",
    base: 'api',
    method: 'PUT',
    path: '/account/edit',
    permission: 'signed-in',
    body: accountForm.extend({ phone: nameFields.phone.optional(), ...sentVersion }),
    result: account,
  }),
  changePassword: route({
    feature: 'account',
    summary: "Change the signed-in user's own password; the other sessions end",
    base: 'api',
    method: 'PUT',
    path: '/account/password',
    permission: 'signed-in',
    errors: ['too-many'],
    body: ownPasswordForm,
    result: z.object({ /** How many other sessions were ended. */ ended: z.number().int() }),
  }),
};
