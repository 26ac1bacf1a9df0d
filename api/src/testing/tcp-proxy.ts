import { connect, createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

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
  /** By the end that it goes to, when what is late has passed: what is sent after it comes after it. */
  late: Map<Socket, Promise<void>>;
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
  // One end learns that the other one has ended only when that arrives, as on a network, and not from the link itself.
  const allowHalfOpen = true;
  const listener = createServer({ allowHalfOpen }, (client) => {
    const server = connect({ port: Number(port), host: hostname, allowHalfOpen });
    const link: Link = { client, server, isSwallowed: false, late: new Map() };
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
    pass(link, () => server.write(chunk), server, state.mode);
    if (!state.trap || !chunk.includes(state.trap.text)) return;
    link.isSwallowed = true;
    state.trap.sprung();
    state.trap = undefined;
  });
  server.on('data', (chunk) => pass(link, () => client.write(chunk), client, state.mode));
  const closeTogether = (one: Socket, other: Socket) => {
    one.on('error', () => {});
    one.on('end', () => pass(link, () => other.end(), other, state.mode));
    // Where both have ended, what is late is still on its way. On a half-open link neither end learns that the other one is gone.
    one.on('close', (isBroken) => isBroken && !link.isSwallowed && other.destroy());
  };
  closeTogether(client, server);
  closeTogether(server, client);
}

function pass(link: Link, send: () => void, to: Socket, mode: Mode): void {
  if (link.isSwallowed) return;
  if (mode === 'reset') reset(link);
  else if (mode === 'close') close(link);
  else if (mode === 'silent') link.isSwallowed = true;
  else if (mode === 'pass' && !link.late.has(to)) send();
  else {
    const arrived = Promise.all([link.late.get(to), mode !== 'pass' && setTimeout(mode.delay)]);
    const sent = arrived.then(() => {
      if (!to.destroyed && !link.isSwallowed) send();
    });
    link.late.set(to, sent);
  }
}

function reset({ client, server }: Link): void {
  client.resetAndDestroy();
  server.resetAndDestroy();
}

function close({ client, server }: Link): void {
  client.destroy();
  server.destroy();
}
