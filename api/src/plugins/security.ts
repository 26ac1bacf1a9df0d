import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';

/** In seconds. */
const YEAR = 365 * 24 * 60 * 60;
const ANALYTICS = 'https://www.googletagmanager.com';

/**
 * Sets response headers against script injection, framing and sniffing. Styles, scripts and pictures come from this server only, except for
 * the analytics tag if an id is configured. Answers over TLS, the server's own or a trusted proxy's, keep browsers on TLS for a year
 * (HSTS, RFC 6797).
 */
export function registerSecurity(app: FastifyInstance, { analytics }: { analytics: boolean }): void {
  const headers = headersOf(analytics);
  app.addHook('onRequest', ({ protocol }, reply, done) => {
    reply.headers(headers);
    if (protocol === 'https') reply.header('strict-transport-security', `max-age=${YEAR}`);
    done();
  });
}

/** The same for every answer, so Helmet writes them once: it would write its policy anew for each. */
function headersOf(analytics: boolean): Record<string, string> {
  const setHeaders = helmet({
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...(analytics ? [ANALYTICS] : [])],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", ...(analytics ? ['https://*.google-analytics.com', ANALYTICS] : [])],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        // The console is also served on plain http, to one machine.
        upgradeInsecureRequests: null,
      },
    },
    strictTransportSecurity: false,
  });
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => {
      headers[name] = value;
    },
    removeHeader: () => {},
  };
  // All that Helmet uses of a response.
  setHeaders({} as IncomingMessage, response as unknown as ServerResponse, () => {});
  return headers;
}
