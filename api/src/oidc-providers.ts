import { readFileSync } from 'node:fs';
import { z } from 'zod';

const LOOPBACK_HOSTS = /^(localhost|127(\.\d+){3}|\[::1\])$/;
/** What the server itself sends to a provider: a setting must not replace it. */
const OWN_PARAMETERS = [
  'client_id',
  'client_secret',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'redirect_uri',
  'request',
  'request_uri',
  'response_mode',
  'response_type',
  'scope',
  'state',
];

const text = z.string().trim().min(1, 'must not be empty');

/** One provider of APOTHECA_OIDC_PROVIDERS. */
const provider = z
  .strictObject({
    /** Part of the address that the provider returns to. */
    id: z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be up to 40 small letters, digits and dashes'),
    /** Shown on the button. */
    name: text.max(40, 'must have at most 40 characters'),
    issuer: z
      .string()
      .refine(isIssuer, 'must be an address that begins with https://, or with http:// on this machine, without query'),
    clientId: text,
    /** Absent: a public client, which PKCE alone protects. */
    clientSecret: text.optional(),
    /** How the secret is sent: `client_secret_basic` or `client_secret_post`. */
    clientAuthentication: z.enum(['basic', 'post'], { error: 'must be basic or post' }).default('basic'),
    scopes: text
      .refine((value) => value.split(' ').includes('openid'), 'must contain openid')
      .default('openid profile email'),
    /** More parameters of the request, such as `prompt`. */
    parameters: z
      .record(z.string(), z.string())
      .refine((given) => !OWN_PARAMETERS.some((name) => name in given), 'must not contain what the server sends itself')
      .default({}),
    groupsClaim: text.default('groups'),
    /** The role of each group; the first one that a person is in counts. Absent: roles are given in the console. */
    roles: z
      .record(z.string(), text)
      .refine((roles) => Object.keys(roles).length > 0, 'must name at least one group')
      // JavaScript puts such keys before all others.
      .refine(
        (roles) => Object.keys(roles).length < 2 || !Object.keys(roles).some((group) => /^\d+$/.test(group)),
        'must not have groups that are numbers, as those have no order',
      )
      .optional(),
    /** Whether people who are in a group of `roles` get a user at their first sign-in. */
    createUsers: z.boolean().default(false),
    /** Whether people get the user with their e-mail address, which the provider has verified. */
    linkByEmail: z.boolean().default(false),
  })
  .refine(({ createUsers, roles }) => !createUsers || roles, { path: ['roles'], error: 'is needed by createUsers' });

export type OidcProvider = z.output<typeof provider>;

const providers = z.array(provider, { error: 'must be a list' }).superRefine((list, { addIssue }) => {
  for (const field of ['id', 'name', 'issuer'] as const) {
    const values = list.map((each) => each[field]);
    const repeated = values.findIndex((value, index) => values.indexOf(value) < index);
    if (repeated >= 0)
      addIssue({ code: 'custom', path: [repeated, field], message: 'is that of another provider too' });
  }
});

/**
 * Reads the setting: JSON, or the path of a file of JSON. No message repeats a value, as that may be a secret.
 * @throws Error with a line for the terminal
 */
export function readOidcProviders(setting: string): OidcProvider[] {
  const parsed = providers.safeParse(parseJson(/^\s*[[{]/.test(setting) ? setting : readFile(setting)));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${fieldName(path)} ${message}`);
  throw new Error(`APOTHECA_OIDC_PROVIDERS: ${problems.join('; ')}`);
}

const fieldName = (path: PropertyKey[]) =>
  path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('') || 'it';

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`APOTHECA_OIDC_PROVIDERS is neither JSON nor the path of a file that can be read (${code})`);
  }
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error('APOTHECA_OIDC_PROVIDERS has a mistake in its JSON');
  }
}

function isIssuer(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(value);
  if (username || password || search || hash) return false;
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK_HOSTS.test(hostname));
}
