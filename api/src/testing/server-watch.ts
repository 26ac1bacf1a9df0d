import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ServerProcess } from './server-process.ts';

/** Figures about a server since the last report. */
export interface Figures {
  answers: number;
  /** Milliseconds until the slowest answer of /readyz, without those in which the watching process stood still. */
  slowest: number;
  /** How many times longer work took than on an idle machine. */
  slowdown: number;
  /** The most memory that the server has had, in bytes. */
  memory: number;
  /** How requests failed. */
  failures: string[];
}

export interface ServerWatch {
  look(): Promise<Figures>;
  leave(): void;
}

/** Requests /readyz from a server all the time. It does so from another process, so that the test's own work does not disturb it. */
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
