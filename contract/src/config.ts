import { z } from 'zod';

/** /config.json: tells the console, which is built once for all servers, where its two API bases are (SPEC §3, DECISIONS §2). */
export const runtimeConfig = z.object({
  appApiBaseUrl: z.string(),
  authApiBaseUrl: z.string(),
  /** Absent: no analytics (SPEC §2.1). */
  analyticsId: z.string().optional(),
});
export type RuntimeConfig = z.infer<typeof runtimeConfig>;
