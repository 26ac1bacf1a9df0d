import { BlockList, isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Addresses of this machine. */
export const LOOPBACK: readonly string[] = ['127.0.0.0/8', '::1'];

/** Whether a text is an IP address or a range such as 10.0.0.0/8. */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv6(address) ? 128 : 32));
}

/** A test whether an address is one of these, or in one of these ranges. An IPv4 address counts also as IPv6 writes it. */
export function addressTest(addresses: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of addresses) {
    const [address = '', bits] = entry.split('/');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => {
    // A link-local address may name the network card behind a percent sign.
    const [plain = ''] = address.split('%');
    return isIP(plain) !== 0 && list.check(plain, familyOf(plain));
  };
}

/** How many bits of an IPv6 address name the network: the rest is for its owner to choose (RFC 4291, section 2.5.1). */
const NETWORK_BITS = 64;

/**
 * Whom an address stands for: itself, but of IPv6 all of its network, as whoever has one of its addresses has mostly all of them. An IPv4
 * address is the same one where IPv6 writes it. What is neither stays as it is.
 */
export function networkOf(address: string): string {
  // A link-local address may name the network card behind a percent sign.
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return address;
  const known = ipaddr.process(plain);
  if (known.kind() === 'ipv4') return known.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${plain}/${NETWORK_BITS}`)}/${NETWORK_BITS}`;
}

/** The address, or some address of the network, that a text names as {@link networkOf} writes them; undefined: none. */
export function addressNamed(text: string): string | undefined {
  const [address = '', bits, ...rest] = text.split('/');
  const isNetwork = isIPv6(address) && bits === String(NETWORK_BITS) && rest.length === 0;
  return isIP(text) !== 0 || isNetwork ? address : undefined;
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');
