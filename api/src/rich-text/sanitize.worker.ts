import { inspect } from 'node:util';
import { parentPort } from 'node:worker_threads';
import { sanitize } from './sanitize.ts';

parentPort?.on('message', (html: string) => parentPort?.postMessage(sanitizeOrRefuse(html)));
parentPort?.postMessage('ready');

/** Whatever goes wrong here comes of this text: it is refused, and the thread goes on with the next one. */
function sanitizeOrRefuse(html: string): string | undefined {
  try {
    return sanitize(html);
  } catch (error) {
    // Nested so deeply that the stack came to its end: no fault of the sanitizer.
    if (!(error instanceof RangeError)) process.stderr.write(`A text could not be sanitized. ${inspect(error)}\n`);
    return undefined;
  }
}
