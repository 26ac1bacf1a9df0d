import { isIP, isIPv6 } from 'node:net';

/** Addresses of this machine. */
export const LOOPBACK: readonly string[] = ['127.0.0.0/8', '::1'];

/** Whether a text is an IP address or a range such as 10.0.0.0/8. */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  if (isIP(address) === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv6(address) ? 128 : 32));
}
