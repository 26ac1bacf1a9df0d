import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';

/** JSON nested deeper than this is refused (DECISIONS §3). */
const MAX_DEPTH = 32;

/** Parses JSON bodies; refuses prototype keys and deep nesting. An empty body is no body. */
export function registerJsonBody(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body);
    if (text === '') return done(null, undefined);
    if (isTooDeep(text)) return done(new AppError('too-deep'));
    return parse(request, text, done);
  });
}

/** Counts brackets outside strings before anything is parsed: a parser would recurse as deep as the text is nested. */
function isTooDeep(json: string): boolean {
  let depth = 0;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/g)) {
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
