import type { SessionResult } from '@apotheca/contract/auth';
import { type OwnFactors, ownFactors } from '@apotheca/contract/second-factors';
import { vi } from 'vitest';
import { makeToken } from './session.ts';

export const CODES = Array.from({ length: 10 }, (_, n) => `abcd${n}-efgh${n}`);

export const ENROLMENT = {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/Apotheca:ada?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Apotheca',
};

/** What the server answers to a sign-in that succeeds. */
export const makeSessionResult = (): SessionResult => ({
  id: '1',
  username: 'ada',
  email: 'ada@apotheca.test',
  firstName: 'Ada',
  lastName: 'Byron',
  phone: '',
  role: 'Administrator',
  accessToken: makeToken(),
  refreshToken: 'refresh-1',
  serverTime: Math.floor(Date.now() / 1000),
});

/** One's own factors as the call gives them, checked against the contract. */
export const makeFactors = (fields: Partial<OwnFactors> = {}): OwnFactors =>
  ownFactors.parse({
    totpSinceUtc: null,
    passkeys: [],
    recoveryCodesLeft: 0,
    isRequired: false,
    passkeyOrigin: location.origin,
    ...fields,
  });

/** Lets passkeys work: the tests' pages are opened as localhost, in a browser that has them. */
export function allowPasskeys(): void {
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('PublicKeyCredential', class {});
}
