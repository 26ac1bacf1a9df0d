import { z } from 'zod';

/** A sentence as contract/messages describes it. */
const keyedMessage = z.object({ key: z.string(), parameters: z.record(z.string(), z.string()) });

/** The sentences of `message` by key and parameters, for showing it in another language than English. */
const messageKeys = z.array(keyedMessage).optional();

/** A successful answer (DECISIONS §3): `status` equals the HTTP status. */
export const successReply = <Result extends z.ZodType>(result: Result) =>
  z.object({ status: z.number().int(), success: z.literal(true), message: z.string(), messageKeys, result });

/** A failed answer; `errors` maps each field to its messages. */
export const failureReply = z.object({
  status: z.number().int(),
  success: z.literal(false),
  message: z.string(),
  title: z.string(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
  messageKeys,
  /** Each message of `errors`, in the same place, as the sentences of `messageKeys`. */
  errorKeys: z.record(z.string(), z.array(z.array(keyedMessage))).optional(),
  /** What the caller needs to go on, such as the new plan if the one that was sent is outdated. */
  result: z.unknown().optional(),
});

export type FailureReply = z.infer<typeof failureReply>;
