import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ServerProcess } from './server-process.ts';

/** What was seen of a server since the last look. */
export interface Figures {
  answers: number;
  /** Milliseconds until the slowest answer of /readyz. */
  slowest: number;
  /** How many times longer work took than on a machine that has nothing else to do. */
  slowdown: number;
  /** The most memory that the server has had, in bytes. */
  memory: number;
  /** How answers failed. */
  failures: string[];
}

export interface ServerWatch {
  look(): Promise<Figures>;
  leave(): void;
}

/** Asks a server for /readyz all the time, from another process: what a test does to the server takes no time from that. */
export async function watchServer({ url, pid }: ServerProcess): Promise<ServerWatch> {
  const file = fileURLToPath(new URL('./server-watch-process.ts', import.meta.url));
  const child = fork(file, [`${url}/readyz`, String(pid)], { execArgv: [] });
  return {
    async look() {
      child.send('look');
      const [figures] = await once(child, 'message');
      return figures;
    },
    leave: () => child.disconnect(),
  };
}
