import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type OidcProvider, readOidcProviders } from '../oidc-providers.ts';

const PROCESS = fileURLToPath(new URL('./provider-process.ts', import.meta.url));
export const CLIENT = { id: 'apotheca', secret: 'a secret that the provider shares, with & and %' };

/** What is told to the process of {@link startProvider}. */
export type ProviderOrder =
  | { order: 'open'; client: Record<string, unknown> }
  | { order: 'account'; login: string; claims: Record<string, unknown> | null }
  | { order: 'away' | 'back' };

/** A provider of OpenID Connect in a process of its own. */
export interface ProviderProcess {
  issuer: string;
  /** Tells it of its client: this console. */
  open(publicUrl: string, client?: Record<string, unknown>): Promise<void>;
  /** Makes or changes a person; null: disables them. */
  account(login: string, claims: Record<string, unknown> | null): Promise<void>;
  /** Whether it answers. */
  answers(does: boolean): Promise<void>;
  close(): Promise<void>;
}

export async function startProvider(): Promise<ProviderProcess> {
  // It warns of what is fine in a test.
  const child = fork(PROCESS, { stdio: 'ignore' });
  const [port] = await once(child, 'message');
  const tell = async (order: ProviderOrder) => {
    const done = once(child, 'message');
    child.send(order);
    await done;
  };
  return {
    issuer: `http://127.0.0.1:${port}`,
    open: (publicUrl, client) =>
      tell({
        order: 'open',
        client: {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [`${publicUrl}/login/callback/clinic`],
          post_logout_redirect_uris: [`${publicUrl}/login`],
          grant_types: ['authorization_code', 'refresh_token'],
          ...client,
        },
      }),
    account: (login, claims) => tell({ order: 'account', login, claims }),
    answers: (does) => tell({ order: does ? 'back' : 'away' }),
    async close() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

/** The settings of a provider, with defaults as the server has them. */
export function providerSettings(issuer: string, settings: Record<string, unknown> = {}): OidcProvider {
  const all = { id: 'clinic', name: 'Clinic', issuer, clientId: CLIENT.id, clientSecret: CLIENT.secret, ...settings };
  const [provider] = readOidcProviders(JSON.stringify([all]));
  if (!provider) throw new Error('There is no provider.');
  return provider;
}

/** A person's browser at a provider: it keeps cookies, and follows redirects until one leads back to the console. */
export class ProviderVisitor {
  readonly #cookies = new Map<string, string>();
  readonly #console: string;

  constructor(publicUrl: string) {
    this.#console = publicUrl;
  }

  /** Signs in on the provider's pages, or goes through without them where it still knows the person. @returns where it leads back to */
  async signIn(url: string, login: string): Promise<URL> {
    let page = await this.#go(url);
    const forms: Record<string, string>[] = [{ prompt: 'login', login, password: 'any' }, { prompt: 'consent' }];
    for (const fields of forms) {
      if (page instanceof URL) return page;
      const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(page.text) ?? [];
      const isAsked = page.text.includes(`value="${fields.prompt}"`);
      if (isAsked) page = await this.#go(new URL(action, page.address).href, new URLSearchParams(fields));
    }
    if (page instanceof URL) return page;
    throw new Error(`The provider did not lead back, but to ${page.address}: ${page.text.slice(0, 2000)}`);
  }

  /** Signs out on the provider's page. @returns where it leads back to, or its own page */
  async signOut(url: string): Promise<URL | string> {
    const page = await this.#go(url);
    if (page instanceof URL) return page;
    const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(page.text) ?? [];
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page.text) ?? [];
    const end = await this.#go(action, new URLSearchParams({ xsrf, logout: 'yes' }));
    return end instanceof URL ? end : end.address;
  }

  async #go(address: string, form?: URLSearchParams): Promise<URL | { address: string; text: string }> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: form }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    const next = response.headers.get('location');
    if (next === null) return { address, text: await response.text() };
    const url = new URL(next, address);
    return url.href.startsWith(this.#console) ? url : this.#go(url.href);
  }
}
