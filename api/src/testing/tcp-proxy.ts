import { connect, createServer, type Socket } from 'node:net';

/** What happens to what is sent: it passes, so many milliseconds late, never; or both ends are reset. */
type Mode = 'pass' | { delay: number } | 'silent' | 'reset';

/** A link to PostgreSQL that can be slow or broken, as networks are. */
export interface TcpProxy {
  /** The connection string that goes over it. */
  url: string;
  set(mode: Mode): void;
  /** Swallows one link from behind a text on, without closing its ends: half-open. Resolves when that has happened. */
  swallowAfter(text: string): Promise<void>;
  /** Cuts what was swallowed off, and lets everything pass. */
  heal(): void;
  close(): Promise<void>;
}

interface Link {
  ends: [Socket, Socket];
  isSwallowed: boolean;
}

/** @param target connection string of PostgreSQL */
export async function openTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const links = new Set<Link>();
  let mode: Mode = 'pass';
  let trap: { text: string; sprung(): void } | undefined;

  const cut = ({ ends }: Link) => {
    for (const end of ends) end.resetAndDestroy();
  };
  const pass = (link: Link, chunk: Buffer, to: Socket) => {
    if (link.isSwallowed) return;
    if (mode === 'reset') return cut(link);
    if (mode === 'silent') {
      link.isSwallowed = true;
      return;
    }
    if (mode === 'pass') to.write(chunk);
    else setTimeout(() => to.destroyed || link.isSwallowed || to.write(chunk), mode.delay);
  };
  const join = (client: Socket) => {
    const server = connect(Number(port), hostname);
    const link: Link = { ends: [client, server], isSwallowed: false };
    links.add(link);
    client.on('data', (chunk) => {
      pass(link, chunk, server);
      if (!trap || !chunk.includes(trap.text)) return;
      link.isSwallowed = true;
      trap.sprung();
      trap = undefined;
    });
    server.on('data', (chunk) => pass(link, chunk, client));
    const others: [Socket, Socket][] = [
      [client, server],
      [server, client],
    ];
    for (const [one, other] of others) {
      one.on('error', () => {});
      // Of a swallowed link neither end hears of the other's.
      one.on('close', () => link.isSwallowed || other.destroy());
    }
  };

  const listener = createServer(join);
  await new Promise<void>((fulfil) => listener.listen(0, '127.0.0.1', fulfil));
  const address = listener.address();
  const url = new URL(target);
  if (address && typeof address === 'object') url.host = `127.0.0.1:${address.port}`;
  return {
    url: url.href,
    set(next) {
      mode = next;
      if (mode === 'silent') for (const link of links) link.isSwallowed = true;
      if (mode === 'reset') links.forEach(cut);
    },
    swallowAfter: (text) =>
      new Promise((sprung) => {
        trap = { text, sprung };
      }),
    heal() {
      mode = 'pass';
      for (const link of links) if (link.isSwallowed) cut(link);
    },
    async close() {
      links.forEach(cut);
      await new Promise((fulfil) => listener.close(fulfil));
    },
  };
}
