import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

const ALGORITHM = 'RS256';

export interface SignedToken {
  claims: Record<string, unknown>;
  header?: Record<string, unknown>;
  /** Absent: the provider's key. */
  key?: CryptoKey;
}

/** A provider of OpenID Connect that says whatever a test wants: only its keys and its addresses are in order. */
export interface HostileProvider {
  issuer: string;
  key: CryptoKey;
  /** The answer to the next exchanges of a code or a refresh token. */
  answer: (form: URLSearchParams) => Promise<{ status?: number; body: unknown }>;
  /** What it says of a person beside the ID token, where its metadata name `/userinfo`. */
  userInfo: Record<string, unknown>;
  /** What was asked for at the token endpoint. */
  asked: URLSearchParams[];
  sign(token: SignedToken): Promise<string>;
  close(): Promise<void>;
}

/** @param metadata beside what every provider says of itself */
export async function startHostileProvider(metadata: Record<string, unknown> = {}): Promise<HostileProvider> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM);
  const jwk = { ...(await exportJWK(publicKey)), kid: 'only', use: 'sig', alg: ALGORITHM };
  // It ends no idle connection: the server may just be asking on one, and would take that for an outage.
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const { status = 200, body } = await reply(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: HostileProvider = {
    issuer,
    key: privateKey,
    asked: [],
    userInfo: {},
    answer: async () => ({ status: 400, body: { error: 'invalid_grant' } }),
    sign: ({ claims, header, key = privateKey }) =>
      new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, kid: 'only', ...header }).sign(key),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const reply = async (request: IncomingMessage): Promise<{ status?: number; body: unknown }> => {
    if (request.url === '/jwks') return { body: { keys: [jwk] } };
    if (request.url === '/userinfo') return { body: provider.userInfo };
    if (request.url !== '/token') return { body: { ...descriptionOf(issuer), ...metadata } };
    const form = new URLSearchParams(await text(request));
    provider.asked.push(form);
    return provider.answer(form);
  };
  return provider;
}

const descriptionOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: [ALGORITHM, 'HS256', 'none'],
});
