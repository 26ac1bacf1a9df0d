import { Server } from 'node:net';
import { startFauxqs } from 'fauxqs';

/**
 * A process that speaks like S3 (fauxqs) and keeps buckets and uploads in a folder, so that a kill loses nothing.
 * Argument: the folder. Prints its port when it is ready.
 */
const [, , s3StorageDir = ''] = process.argv;

// fauxqs would listen on all addresses of the machine.
const { listen } = Server.prototype;
Server.prototype.listen = function listenHere(this: Server, options: object, ...rest: unknown[]) {
  return Reflect.apply(listen, this, [{ ...options, host: '127.0.0.1' }, ...rest]);
} as typeof listen;

const server = await startFauxqs({ s3StorageDir, port: 0, logger: false });
process.stdout.write(`${server.port}\n`);
// A test that fails may not close it, and the run would wait for it for ever.
process.stdin.resume().once('end', () => process.exit());
