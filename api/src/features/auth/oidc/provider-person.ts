import { isStorable } from '@apotheca/contract/text';
import type { OidcProvider } from '../../../oidc-providers.ts';

/** Who signs in, as a provider describes them. Whatever it does not say, or says in another form than expected, is absent. */
export interface ProviderPerson {
  provider: OidcProvider;
  subject: string;
  /** Only one that the provider has verified. */
  email: string | undefined;
  userName: string | undefined;
  firstName: string | undefined;
  lastName: string | undefined;
  groups: readonly string[];
}

/** Reads the claims of an ID token, and of what the provider has added at its userinfo endpoint. */
export function readPerson(provider: OidcProvider, subject: string, claims: Record<string, unknown>): ProviderPerson {
  const text = (claim: string) => {
    const value = claims[claim];
    return typeof value === 'string' && isStorable(value) && value.trim() !== '' ? value.trim() : undefined;
  };
  return {
    provider,
    subject,
    email: claims.email_verified === true ? text('email') : undefined,
    userName: text('preferred_username'),
    firstName: text('given_name') ?? text('name'),
    lastName: text('family_name'),
    groups: [claims[provider.groupsClaim]].flat().filter((group) => typeof group === 'string'),
  };
}
