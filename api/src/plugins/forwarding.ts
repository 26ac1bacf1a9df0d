import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * The address of a caller: that of its connection, or, behind trusted proxies (`APOTHECA_TRUSTED_PROXIES`), the last one in
 * `X-Forwarded-For` that none of them has. Some proxies write a port behind it. What is no address is not believed.
 */
export function callerAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const [, address] = /^\[?([\da-f:.]+?)(?:\]?:\d+)?$/i.exec(ip) ?? [];
  for (const candidate of [ip, address]) if (candidate !== undefined && isIP(candidate) !== 0) return candidate;
  return socket.remoteAddress ?? '';
}
