import { Readable } from 'node:stream';
import type { ContractRoute } from '@apotheca/contract/route';
import { optionalText } from '@apotheca/contract/text';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Caller } from '../actor.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { refuse } from './session.ts';

/** More than any form has fields: a list may be wrong in each of ten thousand items, and nobody reads that many messages. */
const MOST_ISSUES = 100;

const STAMPS = ['createdBy', 'updatedBy', 'deletedBy'] as const;

/** Parses query and body together, so that one answer names every wrong field. */
export async function parseInput(
  context: Context,
  contractRoute: ContractRoute,
  request: FastifyRequest,
): Promise<{ query: unknown; body: unknown }> {
  const errors: Record<string, string[]> = {};
  const query = parse(contractRoute.query, request.query, errors);
  const body = contractRoute.upload ? undefined : parse(contractRoute.body, request.body ?? {}, errors);
  const refusal = refusalOfStamps({ ...asObject(query), ...asObject(body) }, request.caller);
  if (refusal) return refuse(context, contractRoute, request, refusal);
  if (Object.keys(errors).length > 0) throw new AppError('invalid', { errors, message: firstMessage(errors) });
  return { query, body };
}

function parse(schema: z.ZodType | undefined, value: unknown, errors: Record<string, string[]>): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  const issues = parsed.success ? findUnstorable(parsed.data) : parsed.error.issues;
  for (const { path, message } of issues.slice(0, MOST_ISSUES)) {
    const field = path.join('.') || 'request';
    errors[field] = [...(errors[field] ?? []), message];
  }
  return parsed.data;
}

const storableText = optionalText(Number.MAX_SAFE_INTEGER, '');

/** Every text of an input that PostgreSQL cannot store, for schemas that do not refuse such texts themselves. */
function findUnstorable(value: unknown, path: PropertyKey[] = []): { path: PropertyKey[]; message: string }[] {
  if (typeof value === 'string') {
    return storableText.safeParse(value).error?.issues.map(({ message }) => ({ path, message })) ?? [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => findUnstorable(inner, [...path, key]));
}

const firstMessage = (errors: Record<string, string[]>) => Object.values(errors)[0]?.[0];

/** The server records the signed-in user, so a call that names another one is refused (DECISIONS §3). */
function refusalOfStamps(input: Record<string, unknown>, caller: Caller): AppError | undefined {
  const foreign = STAMPS.filter(
    (stamp) => typeof input[stamp] === 'string' && input[stamp] !== '' && input[stamp] !== caller.id,
  );
  if (foreign.length === 0) return undefined;
  const message = 'This is not the signed-in user.';
  return new AppError('wrong-caller', { errors: Object.fromEntries(foreign.map((stamp) => [stamp, [message]])) });
}

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

/** The uploaded file, which is empty if there is no body. @throws AppError unsupported-media-type for another type of body */
export function uploadOf({ body, routeOptions }: FastifyRequest): Readable | undefined {
  if (!routeOptions.config.upload) return undefined;
  if (body === undefined || body === null) return Readable.from([]);
  if (!(body instanceof Readable)) {
    throw new AppError('unsupported-media-type', { message: 'Send the file as application/octet-stream.' });
  }
  return body;
}
