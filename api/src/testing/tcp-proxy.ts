import { connect, createServer, type Socket } from 'node:net';

/** What happens to the data that is sent: it passes, passes so many milliseconds late, or is lost; 'reset' and 'close' do that to both ends. */
type Mode = 'pass' | { delay: number } | 'silent' | 'reset' | 'close';

/** A link to PostgreSQL that can be slow or broken, as networks are. */
export interface TcpProxy {
  /** The connection string that goes over it. */
  url: string;
  set(mode: Mode): void;
  /** Loses all data of the link that sends a text, from there on, and closes neither end: half-open. Resolves when that has happened. */
  swallowAfter(text: string): Promise<void>;
  /** Resets the links that lost data, and lets the others pass. */
  heal(): void;
  close(): Promise<void>;
}

interface Link {
  client: Socket;
  server: Socket;
  /** Its data is lost. */
  isSwallowed: boolean;
}

interface ProxyState {
  mode: Mode;
  /** The text after which a link is to lose its data. */
  trap?: { text: string; sprung(): void } | undefined;
}

/** @param target connection string of PostgreSQL */
export async function openTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const links = new Set<Link>();
  const state: ProxyState = { mode: 'pass' };
  const listener = createServer((client) => {
    const link: Link = { client, server: connect(Number(port), hostname), isSwallowed: false };
    links.add(link);
    connectEnds(link, state);
  });
  await new Promise<void>((fulfil) => listener.listen(0, '127.0.0.1', fulfil));
  const address = listener.address();
  const url = new URL(target);
  if (address && typeof address === 'object') url.host = `127.0.0.1:${address.port}`;
  return {
    url: url.href,
    set(mode) {
      state.mode = mode;
      if (mode === 'silent') for (const link of links) link.isSwallowed = true;
      if (mode === 'reset') links.forEach(reset);
      if (mode === 'close') links.forEach(close);
    },
    swallowAfter: (text) =>
      new Promise((sprung) => {
        state.trap = { text, sprung };
      }),
    heal() {
      state.mode = 'pass';
      for (const link of links) if (link.isSwallowed) reset(link);
    },
    async close() {
      links.forEach(reset);
      await new Promise((fulfil) => listener.close(fulfil));
    },
  };
}

function connectEnds(link: Link, state: ProxyState): void {
  const { client, server } = link;
  client.on('data', (chunk) => {
    pass(link, chunk, server, state.mode);
    if (!state.trap || !chunk.includes(state.trap.text)) return;
    link.isSwallowed = true;
    state.trap.sprung();
    state.trap = undefined;
  });
  server.on('data', (chunk) => pass(link, chunk, client, state.mode));
  const closeTogether = (one: Socket, other: Socket) => {
    one.on('error', () => {});
    // On a half-open link neither end learns that the other one has closed.
    one.on('close', () => link.isSwallowed || other.destroy());
  };
  closeTogether(client, server);
  closeTogether(server, client);
}

function pass(link: Link, chunk: Buffer, to: Socket, mode: Mode): void {
  if (link.isSwallowed) return;
  if (mode === 'reset') reset(link);
  else if (mode === 'close') close(link);
  else if (mode === 'silent') link.isSwallowed = true;
  else if (mode === 'pass') to.write(chunk);
  else setTimeout(() => to.destroyed || link.isSwallowed || to.write(chunk), mode.delay);
}

function reset({ client, server }: Link): void {
  client.resetAndDestroy();
  server.resetAndDestroy();
}

function close({ client, server }: Link): void {
  client.destroy();
  server.destroy();
}
