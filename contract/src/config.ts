import { z } from 'zod';

/** /config.json, which tells a console built once where its two API bases are (SPEC §3, DECISIONS §2). */
export const runtimeConfig = z.object({
  appApiBaseUrl: z.string(),
  authApiBaseUrl: z.string(),
  /** Set only where analytics is wanted (SPEC §2.1). */
  analyticsId: z.string().optional(),
});
export type RuntimeConfig = z.infer<typeof runtimeConfig>;
