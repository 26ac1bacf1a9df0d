import { parentPort } from 'node:worker_threads';
import { sanitize } from './sanitize.ts';

parentPort?.on('message', (html: string) => parentPort?.postMessage(sanitizeWithinStack(html)));
parentPort?.postMessage('ready');

function sanitizeWithinStack(html: string): string | undefined {
  try {
    return sanitize(html);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
