import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';

/** A balancer asks these of a machine, and not by the name that people know. */
const OF_THE_MACHINE = ['/healthz', '/readyz'];

/**
 * Refuses calls whose `Host` is another name (RFC 9110 §7.2): one that somebody else's DNS leads here.
 * @param hosts names without port; none: any name will do
 */
export function registerHosts(app: FastifyInstance, hosts: readonly string[]): void {
  if (hosts.length === 0) return;
  const allowed = new Set(hosts.map((host) => host.toLowerCase()));
  app.addHook('onRequest', async ({ hostname, url }) => {
    if (allowed.has(hostname.toLowerCase()) || OF_THE_MACHINE.includes(url)) return;
    throw new AppError('wrong-host');
  });
}
