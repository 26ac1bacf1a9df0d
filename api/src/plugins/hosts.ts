import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';

/** Balancers request these from a machine by its address, not by the server's host name. */
const OF_THE_MACHINE = ['/healthz', '/readyz'];

/**
 * Refuses calls with an unknown `Host` (RFC 9110 §7.2), as under a name that somebody else's DNS points here.
 * @param hosts names without port; empty: any name is allowed
 */
export function registerHosts(app: FastifyInstance, hosts: readonly string[]): void {
  if (hosts.length === 0) return;
  const allowed = new Set(hosts.map((host) => host.toLowerCase()));
  app.addHook('onRequest', async ({ hostname, routeOptions }) => {
    if (allowed.has(hostname.toLowerCase()) || OF_THE_MACHINE.includes(routeOptions.url ?? '')) return;
    throw new AppError('wrong-host');
  });
}
