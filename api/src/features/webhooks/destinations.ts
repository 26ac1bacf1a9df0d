import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { addressTest, isAddressRange } from '../../address-range.ts';

/** Where a cloud answers its machines with their credentials, though the address is a public one (Azure). */
const METADATA: readonly string[] = ['168.63.129.16'];

/** Why nothing is sent to an address. */
export class RefusedDestination extends Error {}

/** Which addresses webhooks may send to. */
export interface Destinations {
  /** Why a URL is refused whatever its host's name means; undefined: it is not. */
  refusalOf(url: URL): string | undefined;
  /** Resolves a host's name for a connection, to those of its addresses that may be connected to. */
  lookup: LookupFunction;
}

/**
 * By default webhooks send over TLS to the public internet only, so that nobody reaches by them what only this server reaches. Names are
 * resolved here, for the very connection: one that means another address the next time (DNS rebinding) gets nowhere.
 * @param allowed host names, addresses and ranges that may be sent to all the same, also without TLS
 * @param resolve resolves a name to all its addresses; tests set it
 */
export function makeDestinations(
  allowed: readonly string[],
  resolve: (host: string, options: LookupOptions & { all: true }, done: Resolved) => void = lookup,
): Destinations {
  const isAllowedAddress = addressTest(allowed.filter(isAddressRange));
  const names = new Set(allowed.filter((entry) => !isAddressRange(entry)).map((name) => name.toLowerCase()));
  const isAllowedHost = (host: string) => names.has(host) || isAllowedAddress(host);
  const mayConnect = (host: string, address: string) =>
    isAllowedHost(host) || isAllowedAddress(address) || isPublic(address);
  return {
    refusalOf(url) {
      const host = hostOf(url);
      if (isIP(host) !== 0 && !mayConnect(host, host)) return refusal(host);
      if (url.protocol !== 'https:' && !isAllowedHost(host)) return 'Address must begin with https://';
      return undefined;
    },
    lookup(host, options, done) {
      const { family, hints } = options;
      resolve(host, { all: true, ...(family && { family }), ...(hints && { hints }) }, (error, addresses) => {
        const found = error ? [] : addresses.filter(({ address }) => mayConnect(host.toLowerCase(), address));
        const [first] = found;
        if (error) return done(error, '');
        if (!first) return done(new RefusedDestination(refusal(host)), '');
        return options.all ? done(null, found) : done(null, first.address, first.family);
      });
    },
  };
}

type Resolved = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

const refusal = (host: string) =>
  `${host} is not on the public internet. Whoever runs the server can allow it (APOTHECA_WEBHOOK_HOSTS).`;

/** IPv6 addresses that are given to anybody: all others are special, also where the library knows no name for them. */
const GIVEN_OUT = ipaddr.parseCIDR('2000::/3');

function isPublic(text: string): boolean {
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast' || METADATA.includes(address.toString())) return false;
  return address.kind() === 'ipv4' || address.match(GIVEN_OUT);
}

/** Without the brackets of an IPv6 address, and without the dot that ends a whole name. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
