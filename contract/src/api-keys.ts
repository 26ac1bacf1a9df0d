import { z } from 'zod';
import { createdBy, deletedBy, updatedBy } from './caller-stamp.ts';
import { byId, GROWING, tooLong } from './fields.ts';
import { PERMISSION_CATALOGUE, type PermissionIdentifier } from './permission-catalogue.ts';
import { route } from './route.ts';
import { id, requiredText, sentMoment, utcMoment } from './text.ts';

/** How many valid keys one owner may have at a time. */
export const API_KEY_LIMIT = 20;

/** How many days a key lives at most, and if nothing else is said (DECISIONS §13). */
export const API_KEY_DAYS = { person: 365, service: 730, default: 90 } as const;

/** From how many days before its end on a key is shown to expire. */
export const API_KEY_WARNING_DAYS = 14;

/** How many hours the secret before a rotation stays valid: at most, and if nothing else is said. */
export const API_KEY_OVERLAP_HOURS = { max: 168, default: 24 } as const;

const ADDRESS_LIMIT = 20;
const NAME_LIMIT = 50;

const identifiers = PERMISSION_CATALOGUE.map(({ identifier }) => identifier) as [
  PermissionIdentifier,
  ...PermissionIdentifier[],
];

/** A moment in the future that ends a key; absent: after the default number of days. */
const expiresOnUtc = sentMoment('Expires must be a moment such as 2026-12-31T12:00:00Z').optional();

/** The form of a new key. */
export const newApiKeyForm = z.object({
  name: requiredText(NAME_LIMIT, 'Name is required', tooLong('Name', NAME_LIMIT)),
  scopes: z
    .array(z.enum(identifiers, { error: 'This permission is unknown' }), { error: 'Choose at least one permission' })
    .min(1, 'Choose at least one permission')
    .max(identifiers.length, `At most ${identifiers.length} permissions`)
    .transform((scopes) => [...new Set(scopes)]),
  /** Addresses and ranges from which the key may be used; empty: any. */
  addresses: z
    .array(requiredText(50, 'An address is empty', tooLong('An address', 50)))
    .max(ADDRESS_LIMIT, `At most ${ADDRESS_LIMIT} addresses`)
    .default([]),
  expiresOnUtc,
});
export type NewApiKey = z.output<typeof newApiKeyForm>;

/** A key as lists give it; never its secret. */
export const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  /** What the key begins with, by which a found key is recognised. It is no secret. */
  prefix: z.string(),
  scopes: z.array(z.string()),
  addresses: z.array(z.string()),
  createdOnUtc: utcMoment,
  expiresOnUtc: utcMoment,
  isExpired: z.boolean(),
  /** Exact to the minute; null: never. */
  lastUsedOnUtc: utcMoment.nullable(),
  lastUsedAddress: z.string(),
  /** Until when the secret before the last rotation is valid; null: it is not. */
  previousUntilUtc: utcMoment.nullable(),
});
export type ApiKey = z.infer<typeof apiKey>;

const ownScope = z.enum(identifiers).register(GROWING, { values: identifiers });

/** The keys of an owner, and what a new one may have: what the owner and whoever asks may both do. */
export const apiKeyList = z.object({ keys: z.array(apiKey), scopes: z.array(ownScope) });
export type ApiKeyList = z.infer<typeof apiKeyList>;

/** The only answer that holds the key itself. */
export const issuedApiKey = z.object({ id: z.string(), key: z.string(), expiresOnUtc: utcMoment });
export type IssuedApiKey = z.infer<typeof issuedApiKey>;

export const apiKeyRoutes = {
  list: route({
    feature: 'auth',
    summary:
      "The signed-in user's API keys, or, with users.write, those of another user; newest first, with the permissions that a new one may have",
    base: 'api',
    method: 'GET',
    path: '/apikeys/get',
    permission: 'signed-in',
    byKey: true,
    query: z.object({ userId: id().optional() }),
    result: apiKeyList,
  }),
  create: route({
    feature: 'auth',
    summary:
      'Issue an API key for the signed-in user, or, with users.write, for a service account; it is shown only once',
    base: 'api',
    method: 'POST',
    path: '/apikeys/create',
    permission: 'signed-in',
    keyed: true,
    fresh: true,
    body: newApiKeyForm.extend({ userId: id().optional(), ...createdBy }),
    result: issuedApiKey,
    secret: true,
  }),
  rotate: route({
    feature: 'auth',
    summary: 'Give an API key a new secret; the old one stays valid for a chosen time',
    base: 'api',
    method: 'POST',
    path: '/apikeys/rotate',
    permission: 'signed-in',
    keyed: true,
    fresh: true,
    body: z.object({
      id: id(),
      overlapHours: z
        .int({ error: 'Overlap must be a whole number of hours' })
        .min(0, 'Overlap must be at least 0 hours')
        .max(API_KEY_OVERLAP_HOURS.max, `Overlap must be at most ${API_KEY_OVERLAP_HOURS.max} hours`)
        .default(API_KEY_OVERLAP_HOURS.default),
      expiresOnUtc,
      ...updatedBy,
    }),
    result: issuedApiKey,
    secret: true,
  }),
  delete: route({
    feature: 'auth',
    summary: 'Revoke an API key at once',
    base: 'api',
    method: 'DELETE',
    path: '/apikeys/delete',
    permission: 'signed-in',
    fresh: true,
    query: byId.extend(deletedBy),
    result: z.null(),
  }),
};
