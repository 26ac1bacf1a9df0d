import type { FastifyInstance } from 'fastify';

/**
 * Takes forms for the calls that are registered on `app`. No others take one: any page can make a browser send it.
 * @param most bytes of a form; to be chosen small, as URLSearchParams takes the square of the number of its fields
 */
export function registerFormBody(app: FastifyInstance, most: number): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: most },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
}
