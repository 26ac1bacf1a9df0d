import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';

/** JSON nested deeper than this is refused (DECISIONS §3). */
const MAX_DEPTH = 32;

/** Parses JSON bodies; refuses prototype keys and deep nesting. An empty body counts as absent. */
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

const CODE = { quote: 0x22, backslash: 0x5c, open: [0x5b, 0x7b], close: [0x5d, 0x7d] };

/**
 * Counts brackets outside of strings before the text is parsed, as a parser would recurse as deep as it is nested. It reads each
 * character once; a regular expression for strings would start again at every quote of an unfinished one.
 */
function isTooDeep(json: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (code === CODE.quote) isInString = !isInString;
    else if (isInString) index += code === CODE.backslash ? 1 : 0;
    else if (CODE.open.includes(code)) depth += 1;
    else if (CODE.close.includes(code)) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
