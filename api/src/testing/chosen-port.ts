import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that Linux and macOS give to who asks for any: nobody gets one of these by chance before the server listens, or while it is
 * stopped.
 */
const CHOSEN_PORTS = [20_000, 32_000] as const;

/** A free port, for a server whose settings name its own address, or that comes back on the one it had. */
export async function choosePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...CHOSEN_PORTS);
    if (await isFree(port)) return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((fulfil) => {
    const probe = createServer().once('error', () => fulfil(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => fulfil(true)));
  });
