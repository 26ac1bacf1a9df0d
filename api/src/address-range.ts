import { BlockList, isIP, isIPv6 } from 'node:net';

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

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');
