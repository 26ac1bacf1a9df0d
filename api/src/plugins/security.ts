import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

const ANALYTICS = 'https://www.googletagmanager.com';

/**
 * Sets response headers against script injection, framing and sniffing. Styles and scripts come from this server only, except for
 * the analytics tag if an id is configured.
 */
export async function registerSecurity(app: FastifyInstance, { analytics }: { analytics: boolean }): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...(analytics ? [ANALYTICS] : [])],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'https:'],
        connectSrc: ["'self'", ...(analytics ? ['https://*.google-analytics.com', ANALYTICS] : [])],
        frameAncestors: ["'none'"],
        // The console is also served on plain http, to one machine. A proxy with TLS sends this header itself.
        upgradeInsecureRequests: null,
      },
    },
    strictTransportSecurity: false,
  });
}
