import type { MailServer, MailSettings } from '../mail-settings.ts';
import { isOnThisMachine } from '../mail-settings.ts';
import { bodyOf } from './mail-text.ts';
import type { Mail } from './mails.service.ts';

/** How long the mail server may keep us waiting at each step, in milliseconds. */
export const SMTP_TIMEOUT = 20_000;

/**
 * Hands a mail over to the mail server.
 * @param id the same each time that the mail is tried, so that a mail that comes twice can be told
 * @throws Error where the server does not take it
 */
export async function sendMail(
  { server, from, publicUrl }: MailSettings,
  id: string,
  { to, ...text }: Omit<Mail, 'validUntil'>,
  timeout = SMTP_TIMEOUT,
): Promise<void> {
  // Loaded with the first mail: most servers never send one.
  const { createTransport } = await import('nodemailer');
  await createTransport(transportOptions(server, timeout)).sendMail({
    from,
    to,
    subject: text.subject,
    ...bodyOf(text),
    messageId: `<${id}@${new URL(publicUrl).hostname}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** TLS with a certificate that is valid, unless nobody can listen on the way. */
function transportOptions(server: MailServer, timeout: number) {
  const { host, port, secure, credentials } = server;
  const isLocal = isOnThisMachine(server);
  return {
    host,
    port,
    secure,
    requireTLS: !secure && !isLocal,
    ignoreTLS: !secure && isLocal,
    ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
    dnsTimeout: timeout,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
  };
}

interface SmtpError {
  code?: string;
  responseCode?: number;
  /** The server's own words, after the code. */
  response?: string;
  /** At which it refused. */
  command?: string;
}

/** Why a mail server did not take a mail, without its own words: they often repeat the address. */
export function failureOf(error: unknown): { reason: string; isFinal: boolean } {
  const { code, responseCode, command } = error as SmtpError;
  const reason = [code, responseCode, command].filter(Boolean).join(' ') || 'unknown reason';
  return { reason, isFinal: isOfThisMail(error as SmtpError) };
}

/**
 * Whether the server refuses this very address or text, and will do so again. Anything else may pass, or holds for all mails until
 * settings are mended: what it answers to the sender, and that somebody has to sign in or may not send (RFC 3463: 5.7.…).
 */
function isOfThisMail({ code, responseCode = 500, command, response = '' }: SmtpError): boolean {
  if (code !== 'EMESSAGE' && (code !== 'EENVELOPE' || command === 'MAIL FROM' || command === 'DATA')) return false;
  return responseCode >= 500 && ![530, 535].includes(responseCode) && !/^\d{3}[ -]5\.7\./.test(response);
}
