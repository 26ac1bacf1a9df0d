import { BlockList, isIP } from 'node:net';
import { LOOPBACK } from './address-range.ts';

/** Where mails are handed over, and how. */
export interface MailServer {
  host: string;
  port: number;
  /** TLS from the first byte on (smtps). */
  secure: boolean;
  /** Absent: the server takes mails without. */
  credentials: { user: string; password: string } | undefined;
}

/** What sending mails needs. */
export interface MailSettings {
  server: MailServer;
  from: string;
  /** Where people reach the console, without a slash at its end. */
  publicUrl: string;
}

const PORTS: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 };

/** Reads APOTHECA_SMTP_URL. @returns undefined where it is none */
export function readMailServer(setting: string): MailServer | undefined {
  const url = URL.canParse(setting) ? new URL(setting) : undefined;
  const usualPort = url && PORTS[url.protocol];
  if (!url || !usualPort || url.hostname === '') return undefined;
  // Nothing else of the address counts, so that nobody believes in an option there.
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') return undefined;
  const credentials = readCredentials(url);
  if (credentials === 'damaged') return undefined;
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? usualPort : Number(url.port),
    secure: url.protocol === 'smtps:',
    credentials,
  };
}

function readCredentials({ username, password }: URL): MailServer['credentials'] | 'damaged' {
  if (username === '') return undefined;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    // A percent sign that is none of an encoded character.
    return 'damaged';
  }
}

/** Whether a text is an address, or a name with an address, such as 'Apotheca <console@clinic.test>'. */
export const isMailFrom = (text: string): boolean =>
  /^(?:[^<>@",;:\\\p{Cc}]+ <[^<>@\s",;]+@[^<>@\s",;]+>|[^<>@\s",;]+@[^<>@\s",;]+)$/u.test(text);

/** Whether a mail server is on this machine, so that nobody can listen on the way. */
export function isOnThisMachine({ host }: Pick<MailServer, 'host'>): boolean {
  const family = isIP(host);
  if (family === 0) return host === 'localhost';
  const own = new BlockList();
  for (const range of LOOPBACK) {
    const [address = '', bits] = range.split('/');
    if (bits) own.addSubnet(address, Number(bits));
    else own.addAddress(address, 'ipv6');
  }
  return own.check(host, family === 6 ? 'ipv6' : 'ipv4');
}
