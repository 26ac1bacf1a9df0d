import type { Context } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import type { OidcProvider } from '../../../oidc-providers.ts';

/** Loaded when a provider is first asked: most installations have none. */
const library = () => import('openid-client');
type Library = Awaited<ReturnType<typeof library>>;
export type Connection = Awaited<ReturnType<Library['discovery']>>;

/** How long a provider may take for an answer, in seconds. */
const TIMEOUT = 5;
/** How long what a provider says of itself counts, in milliseconds. */
const FRESH = 3_600_000;

/** What a provider says of itself, and until when that counts by a clock that nobody sets. */
const known = new WeakMap<OidcProvider, { connection: Promise<Connection>; until: number }>();

/** A provider of the settings by its id. @throws AppError not-found */
export function getProvider({ oidcProviders }: Context, id: string): OidcProvider {
  const provider = oidcProviders.find((one) => one.id === id);
  if (!provider) throw new AppError('not-found', { message: 'There is no such way to sign in.' });
  return provider;
}

/** Where a provider returns to. Each has an address of its own, so that none can answer for another (RFC 9700, mix-up). */
export const redirectUri = ({ publicUrl }: Context, { id }: OidcProvider): string =>
  `${publicUrl}/login/callback/${id}`;

/** Asks a provider for what it says of itself; who asks meanwhile shares the answer. @throws AppError provider-away */
export function connect(provider: OidcProvider): Promise<Connection> {
  const kept = known.get(provider);
  if (kept && kept.until > performance.now()) return kept.connection;
  const connection = discover(provider);
  known.set(provider, { connection, until: performance.now() + FRESH });
  connection.catch(() => known.delete(provider));
  return connection;
}

async function discover(provider: OidcProvider): Promise<Connection> {
  const client = await library();
  const { clientSecret, clientAuthentication } = provider;
  const secretBy = clientAuthentication === 'post' ? client.ClientSecretPost : client.ClientSecretBasic;
  const authentication = clientSecret === undefined ? client.None() : secretBy(clientSecret);
  const connection = await client
    .discovery(new URL(provider.issuer), provider.clientId, undefined, authentication, {
      timeout: TIMEOUT,
      // Without it the signature of an ID token that comes from the provider itself would not be verified.
      execute: [
        client.enableNonRepudiationChecks,
        ...(new URL(provider.issuer).protocol === 'http:' ? [client.allowInsecureRequests] : []),
      ],
    })
    .catch((error: unknown) => refuseAnswer(client, provider, error));
  if (connection.serverMetadata().issuer === provider.issuer) return connection;
  throw providerAway(provider, 'it names another issuer, which must be that of the setting to the letter');
}

/** Whether a provider's error says that the person may not sign in; others are of the provider or of the settings. */
const REFUSALS = [
  'access_denied',
  'consent_required',
  'interaction_required',
  'invalid_grant',
  'invalid_request',
  'login_required',
];

/** What is wrong with an answer and is the provider's or the network's fault: there is no answer to verify. */
const FAILURES = [
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
];

/**
 * Sends a request to a provider.
 * @returns its answer; undefined if it refuses, or answers with a token that is not valid
 * @throws AppError provider-away
 */
export async function ask<Answer>(
  provider: OidcProvider,
  request: (client: Library, connection: Connection) => Promise<Answer>,
): Promise<Answer | undefined> {
  const client = await library();
  const connection = await connect(provider);
  try {
    return await request(client, connection);
  } catch (error) {
    if (error instanceof client.ResponseBodyError && REFUSALS.includes(error.error)) return undefined;
    if (error instanceof client.ClientError && !FAILURES.includes(error.code ?? '')) return undefined;
    return refuseAnswer(client, provider, error);
  }
}

/** @throws AppError provider-away. Its reason has no part of the answer, which may hold tokens */
function refuseAnswer(client: Library, provider: OidcProvider, error: unknown): never {
  if (error instanceof client.ResponseBodyError)
    throw providerAway(provider, `it answers ${error.error.slice(0, 100)}`);
  throw providerAway(provider, error instanceof Error ? error.message : 'it cannot be asked');
}

const providerAway = ({ name }: OidcProvider, reason: string) =>
  new AppError('provider-away', {}, { cause: new Error(`${name}: ${reason}`) });
