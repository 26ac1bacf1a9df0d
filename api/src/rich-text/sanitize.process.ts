import { inspect } from 'node:util';
import { Script } from 'node:vm';
import { sanitize } from './sanitize.ts';
import type { SanitizedText, TextToSanitize } from './sanitizing-process.ts';

let next = '';
Object.assign(globalThis, { sanitizeNext: () => sanitize(next) });
/** As a script, which can be given a time limit. */
const sanitizing = new Script('sanitizeNext()');

// Signals of a terminal come to all of its processes: the server ends this one, when nobody waits for a text any more.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
process.on('message', (text: TextToSanitize) => process.send?.(sanitizeOrRefuse(text)));
// The first text makes jsdom compile what every text needs: that counts for no text's time limit.
sanitize('<p>Warm</p>');
process.send?.({});

/** Refuses a text on which sanitizing fails, so that the process goes on with the next one. It ends with one that takes too long. */
function sanitizeOrRefuse({ html, timeLimit }: TextToSanitize): SanitizedText {
  next = html;
  try {
    return { clean: sanitizing.runInThisContext({ timeout: timeLimit, displayErrors: false }) };
  } catch (error) {
    // What jsdom was doing is left half done.
    if (isOverdue(error)) process.exit();
    // A RangeError means that the text is nested too deeply for the stack, which is no fault of the sanitizer.
    return error instanceof RangeError ? {} : { failure: inspect(error) };
  }
}

const isOverdue = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
