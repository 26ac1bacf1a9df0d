import { z } from 'zod';
import { PASSWORD_MIN } from './auth.ts';
import { suspensionRules } from './tenant-access.ts';

/**
 * /config.json: tells the console, which is built once for all servers, where its two API bases are (SPEC §3, DECISIONS §2), and what
 * of the server's settings its screens need before anybody is signed in.
 */
export const runtimeConfig = z.object({
  appApiBaseUrl: z.string(),
  authApiBaseUrl: z.string(),
  /** Absent: no analytics (SPEC §2.1). */
  analyticsId: z.string().optional(),
  /** How many characters a new password needs. */
  passwordMin: z.int().default(PASSWORD_MIN),
  /** Whether the server mails links to who forgot their password. */
  passwordRecovery: z.boolean().default(false),
  /** Where people reach the console; absent: unknown. Passkeys belong to its name. */
  publicUrl: z.string().optional(),
  /** Whether FAQs have public pages. */
  publicFaqs: z.boolean().optional(),
  /** By which providers people sign in; absent: by none. */
  signInProviders: z.array(z.object({ id: z.string(), name: z.string() })).optional(),
  /** What closes the databases of tenants; absent: nothing. */
  suspension: suspensionRules.optional(),
  /** Whether all passwords but that of one account are switched off. */
  passwordsAreOff: z.boolean().optional(),
  /** Whether the server traces calls: then the console begins each trace. */
  traces: z.boolean().optional(),
});
export type RuntimeConfig = z.infer<typeof runtimeConfig>;
