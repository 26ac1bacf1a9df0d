// What the benchmarks use of autocannon, which brings no types.
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  interface Request {
    method?: 'GET' | 'POST';
    path?: string;
    headers?: Record<string, string>;
    body?: string;
  }

  interface Options extends Omit<Request, 'path' | 'body'> {
    url: string;
    /** What each connection sends, again and again; absent: one and the same. */
    requests?: Request[];
    /** Called once for each connection. */
    setupClient?: (client: { setBody(body: string): void }) => void;
    connections: number;
    /** Requests in all. */
    amount: number;
    /** Seconds until an answer is given up. */
    timeout: number;
    /** Milliseconds between looks at whether all is answered. */
    sampleInt: number;
  }

  interface Result {
    errors: number;
  }

  /** Emits 'response' (client, status, bytes, milliseconds) for each answer. */
  type Run = EventEmitter & PromiseLike<Result>;

  function autocannon(options: Options): Run;
  export = autocannon;
}
