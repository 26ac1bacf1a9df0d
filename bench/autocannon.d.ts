// What the benchmarks use of autocannon, which brings no types.
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  interface Options {
    url: string;
    method?: 'GET' | 'POST';
    headers?: Record<string, string>;
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
