import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as the server took it. */
export interface TakenMail {
  from: string;
  to: string[];
  /** With its headers. */
  source: string;
  /** Whether it came over TLS. */
  secure: boolean;
  /** Who handed it over; empty: nobody signed in. */
  user: string;
}

/** A real SMTP server on a port of this machine. */
export interface MailServer {
  port: number;
  mails: TakenMail[];
  /** Resolves with the mails once there are so many. */
  taken(count: number): Promise<TakenMail[]>;
  close(): Promise<void>;
}

/** Starts a mail server. Without other options it takes everything, without TLS and signing in. */
export async function startMailServer(options: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
  const mails: TakenMail[] = [];
  let noticed = Promise.withResolvers<void>();
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 100,
    ...options,
    async onData(stream, { envelope, secure, user }, done) {
      const source = await text(stream);
      mails.push({
        from: envelope.mailFrom ? envelope.mailFrom.address : '',
        to: envelope.rcptTo.map(({ address }) => address),
        source,
        secure,
        user: String(user ?? ''),
      });
      done();
      noticed.resolve();
      noticed = Promise.withResolvers();
    },
  });
  // A client that goes away, or that does not trust the certificate.
  server.on('error', () => {});
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    async taken(count) {
      while (mails.length < count) await noticed.promise;
      return mails;
    },
    close: () => new Promise((fulfil) => void server.close(() => fulfil())),
  };
}

/** The plain text of a mail that was taken, without the line ends that its encoding made. */
export function plainTextOf({ source }: TakenMail): string {
  const [, part = ''] = /^Content-Type: text\/plain[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/m.exec(source) ?? [];
  const bytes = part
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
