import { BlockList, isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

/** Headers by which a proxy says that it forwards a call (RFC 7239, RFC 9110 §7.6.3). */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/**
 * Restricts a scope's routes to those who run the server. For everybody else they are a 404.
 * @param routes the Fastify scope
 * @param addresses addresses and ranges, such as 10.0.0.0/8
 */
export function restrictToOperators(routes: FastifyInstance, addresses: readonly string[]): void {
  const allowed = listOf(addresses);
  routes.addHook('onRequest', async (request) => {
    if (!isOperator(request, allowed)) throw new AppError('no-route');
  });
}

function listOf(addresses: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of addresses) {
    const [address = '', bits] = entry.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

function isOperator({ ip, headers }: FastifyRequest, allowed: BlockList): boolean {
  return allowed.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4') && FORWARDED.every((name) => headers[name] === undefined);
}
