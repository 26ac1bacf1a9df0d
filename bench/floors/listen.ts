import { createServer, type RequestListener } from 'node:http';

/** Serves every request by a bare HTTP server on a free port, and prints its address. */
export function listen(answer: RequestListener): void {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    console.log(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : ''}`);
  });
  process.on('SIGTERM', () => process.exit(0));
}

export const JSON_TYPE = 'application/json; charset=utf-8';
