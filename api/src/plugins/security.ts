import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

const ANALYTICS = 'https://www.googletagmanager.com';

/**
 * Response headers against script injection, framing and sniffing. Styles and scripts come from this server only; the one
 * exception is the analytics tag, where an id is configured.
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
        // The console is served on plain http on one machine; a proxy that speaks TLS sends its own upgrade header.
        upgradeInsecureRequests: null,
      },
    },
    strictTransportSecurity: false,
  });
}
