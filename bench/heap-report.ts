// Preloaded into a server whose heap is measured, with --expose-gc: at SIGUSR2 it writes the bytes in use after a collection.
import { renameSync, writeFileSync } from 'node:fs';

const { HEAP_FILE = '' } = process.env;

process.on('SIGUSR2', () => {
  globalThis.gc?.();
  writeFileSync(`${HEAP_FILE}.new`, String(process.memoryUsage().heapUsed));
  renameSync(`${HEAP_FILE}.new`, HEAP_FILE);
});
