import { inspect } from 'node:util';
import { parentPort } from 'node:worker_threads';
import { sanitize } from './sanitize.ts';

parentPort?.on('message', (html: string) => parentPort?.postMessage(sanitizeOrRefuse(html)));
// The first text makes jsdom compile what every text needs: that counts for no text's time limit.
sanitize('<p>Warm</p>');
parentPort?.postMessage('ready');

/** Refuses a text on which sanitizing fails, so that the thread goes on with the next one. */
function sanitizeOrRefuse(html: string): string | undefined {
  try {
    return sanitize(html);
  } catch (error) {
    // A RangeError means that the text is nested too deeply for the stack, which is no fault of the sanitizer.
    if (!(error instanceof RangeError)) process.stderr.write(`A text could not be sanitized. ${inspect(error)}\n`);
    return undefined;
  }
}
