import { isIP } from 'node:net';
import type { Context } from '../../../context.ts';

/** To whom passkeys belong, WebAuthn's relying party: the name of the console's host, and the address at which it is opened. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/**
 * To whom passkeys belong here: APOTHECA_PUBLIC_URL decides, or else `localhost` if the console was opened under that name.
 * @param origin the address of the console, as the browser sees it
 * @returns undefined where passkeys cannot work: an IP address is no name, and browsers have them on https and localhost only
 */
export function relyingPartyOf({ publicUrl }: Pick<Context, 'publicUrl'>, origin: string): RelyingParty | undefined {
  const decides = publicUrl ?? origin;
  if (!URL.canParse(decides)) return undefined;
  const { hostname, protocol } = new URL(decides);
  if (hostname === 'localhost') return { id: hostname, origin: decides };
  const isUsable = publicUrl !== undefined && protocol === 'https:' && !isIP(hostname.replace(/^\[|\]$/g, ''));
  return isUsable ? { id: hostname, origin: decides } : undefined;
}
