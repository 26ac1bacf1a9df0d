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

type Claims = Record<string, unknown>;

/**
 * Reads the claims of an ID token, and of what the provider has added at its userinfo endpoint. What both say counts as the ID token has it. An
 * e-mail address and whether it is verified are taken from one of them: the other may speak of another address.
 */
export function readPerson(
  provider: OidcProvider,
  subject: string,
  { idToken, userInfo }: { idToken: Claims; userInfo: Claims },
): ProviderPerson {
  const claims = { ...userInfo, ...idToken };
  const ofEmail = 'email_verified' in idToken ? idToken : userInfo;
  const text = (claim: string, of = claims) => {
    const value = of[claim];
    return typeof value === 'string' && isStorable(value) && value.trim() !== '' ? value.trim() : undefined;
  };
  return {
    provider,
    subject,
    email: ofEmail.email_verified === true ? text('email', ofEmail) : undefined,
    userName: text('preferred_username'),
    firstName: text('given_name') ?? text('name'),
    lastName: text('family_name'),
    groups: [claims[provider.groupsClaim]].flat().filter((group) => typeof group === 'string'),
  };
}
