import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import type { Server } from 'node:http';
import { createSecureContext, Server as TlsServer } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { StartError, type TlsFiles } from '../config.ts';

/**
 * How often the files are looked at, in milliseconds. Watching would miss what changes only the links on the way to them, as
 * certificates mounted by Kubernetes do.
 */
const LOOKED_AT_EVERY = 2_000;

interface Certificate {
  cert: Buffer;
  key: Buffer;
}

/** Reads the server's certificate and key. @throws StartError where they cannot be read or do not belong together */
export function readCertificate(files: TlsFiles): Certificate {
  const certificate = { cert: read('APOTHECA_TLS_CERT', files.cert), key: read('APOTHECA_TLS_KEY', files.key) };
  try {
    createSecureContext(certificate);
  } catch (error) {
    throw new StartError(`APOTHECA_TLS_CERT and APOTHECA_TLS_KEY cannot be used together: ${(error as Error).message}`);
  }
  return certificate;
}

/** Uses a renewed certificate for new connections as soon as both files fit; until then, and for open connections, the old one stays. */
export function followCertificate(app: FastifyInstance, files: TlsFiles): void {
  const server: Server = app.server;
  if (!(server instanceof TlsServer)) return;
  const renew = () => {
    try {
      server.setSecureContext(readCertificate(files));
    } catch (error) {
      app.log.error({ err: error }, 'the renewed certificate is not used');
    }
  };
  for (const path of [files.cert, files.key]) watchFile(path, { interval: LOOKED_AT_EVERY, persistent: false }, renew);
  app.addHook('onClose', async () => {
    for (const path of [files.cert, files.key]) unwatchFile(path, renew);
  });
}

function read(setting: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new StartError(`${setting} cannot be read: ${(error as Error).message}`);
  }
}
