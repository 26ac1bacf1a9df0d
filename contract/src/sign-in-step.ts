import { z } from 'zod';

/** By what a second step of a sign-in can be answered. */
export const FACTOR_METHODS = ['totp', 'recovery', 'passkey'] as const;
export type FactorMethod = (typeof FACTOR_METHODS)[number];

/** What an authenticator app needs to know: the secret to type in, or its address (`otpauth://`) as a QR code. */
export const totpEnrolment = z.object({ secret: z.string(), uri: z.string() });
export type TotpEnrolment = z.infer<typeof totpEnrolment>;

/** The answer to a right password where a second factor is needed: it opens no session. */
export const secondFactorStep = z.object({
  secondFactor: z.object({
    /** Stands for the right password, for five minutes. */
    token: z.string(),
    methods: z.array(z.enum(FACTOR_METHODS)),
    /** The user has no second factor but needs one: the first right code of this secret sets it up. */
    enrolment: totpEnrolment.nullable(),
  }),
});
export type SecondFactorStep = z.infer<typeof secondFactorStep>;
