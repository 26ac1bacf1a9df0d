import { createHash, randomBytes } from 'node:crypto';
import { openIdConnectRoutes } from '@apotheca/contract/openid-connect';
import type { ContractRoute } from '@apotheca/contract/route';
import type { Answer } from './app.ts';
import { ProviderVisitor } from './provider.ts';

/** Where people reach the console in tests. Nothing listens there: what a browser would open is only read. */
export const CONSOLE = 'http://localhost:39999';

/** What a browser keeps while its person is at a provider, and what it shows of it. */
export function browserSecret(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** How a test calls the server that people sign in to. */
interface Server {
  call(route: ContractRoute, options: { body: unknown; token: null }): Promise<Answer>;
}

/** Begins a sign-in. @returns the provider's page, and what the browser keeps */
export async function beginAtProvider(test: Server, provider = 'clinic'): Promise<{ url: URL; verifier: string }> {
  const { verifier, challenge } = browserSecret();
  const answer = await test.call(openIdConnectRoutes.beginSignIn, { body: { provider, challenge }, token: null });
  if (answer.status !== 200) throw new Error(`No sign-in could be begun: ${answer.message}`);
  return { url: new URL(answer.result.url), verifier };
}

/** What a browser sends when a provider has led it back. */
export function answerOf(returned: URL, verifier: string) {
  const { code, state, iss } = Object.fromEntries(returned.searchParams);
  const [, provider = ''] = /\/login\/callback\/([^/]+)$/.exec(returned.pathname) ?? [];
  return { provider, code, state, ...(iss !== undefined && { iss }), verifier };
}

export const finishAtProvider = (test: Server, body: Record<string, unknown>): Promise<Answer> =>
  test.call(openIdConnectRoutes.finishSignIn, { body, token: null });

/** Signs in on the provider's pages. @param visitor the person's browser at the provider; absent: a new one */
export async function signInByProvider(
  test: Server,
  login: string,
  visitor = new ProviderVisitor(CONSOLE),
): Promise<Answer> {
  const { url, verifier } = await beginAtProvider(test);
  return finishAtProvider(test, answerOf(await visitor.signIn(url.href, login), verifier));
}
