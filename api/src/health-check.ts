// Asks the server on this machine whether its process lives: for containers, which have no curl. Ends with 0 or 1. It reads the few
// settings that it needs by itself, as it runs every half minute.
import { request as plain } from 'node:http';
import { request as encrypted } from 'node:https';

const { PORT, HOST, APOTHECA_TLS_CERT } = process.env;
/** Where a server that listens on all addresses is asked. */
const host = !HOST || HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST;

const end = (isAlive: boolean) => process.exit(isAlive ? 0 : 1);
const request = APOTHECA_TLS_CERT ? encrypted : plain;
// The certificate names what people call the server, not this address.
const options = { host, port: PORT || 3000, path: '/healthz', timeout: 4_000, rejectUnauthorized: false };
request(options, ({ statusCode }) => end(statusCode === 200))
  .on('timeout', () => end(false))
  .on('error', () => end(false))
  .end();
