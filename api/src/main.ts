import { once } from 'node:events';
import { createServer } from 'node:net';
import { buildApp } from './app.ts';
import { type Config, type ProcessRole, readConfig, StartError } from './config.ts';
import { makeFailureLog } from './failure-log.ts';
import { openInstallation } from './installation.ts';
import { endRecovery } from './recovery/recovery-note.ts';
import { warmUp } from './rich-text/rich-text.ts';
import { startTracing } from './tracing/tracing.ts';
import { unknownSettings } from './unknown-settings.ts';

/** Signals within this time count as one, in milliseconds: Ctrl-C and a hang-up come from the terminal and from npm. */
const ONE_SIGNAL = 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** What a start takes has settled so long after it, in milliseconds. */
const SETTLED = 10_000;

/** Starts the server: settings, database, app. Prints its address and how to sign in. */
async function main(): Promise<void> {
  for (const line of unknownSettings(process.env)) console.error(line);
  const config = readConfig(process.env);
  await assertPortFree(config);
  const { stopping, hurry } = watchSignals();
  await endRecovery(config.dataDir);
  // Beside the start of the database, on another core.
  const warm = config.role === 'worker' ? undefined : warmUp();
  // Told where it is waited for.
  warm?.catch(() => undefined);
  const stopTracing = config.traces ? await startTracing(config.traces) : async () => {};
  const installation = await openInstallation(config, { signal: stopping });
  const stops: (() => Promise<unknown>)[] = [installation.close, stopTracing];
  try {
    const app = await buildApp(installation.context, { ...config, isWorking: installation.isWorking });
    stops.unshift(() => app.close());
    await warm;
    await app.listen({ port: config.port, host: config.host }).catch(explainListenError(config));
    announce(config.role, app.listeningOrigin, installation.signInHint);
    // Anchors are written at any level but 'silent': one that is missing would be missed too late.
    const anchors = app.log.child({}, { level: config.logLevel === 'silent' ? 'silent' : 'info' });
    await installation.startBackgroundWork(makeFailureLog(app.log), (line) => anchors.info(line));
    setTimeout(giveBack, SETTLED).unref();
    if (!stopping.aborted) await once(stopping, 'abort');
    await app.drain(config.drainSeconds, hurry);
  } finally {
    await stopAll(stops);
  }
}

function announce(role: ProcessRole, address: string, signInHint: string): void {
  const what = role === 'worker' ? "Apotheca's worker" : 'Apotheca';
  console.log([`${what} is ready on ${address}`, signInHint, 'Stop it with Ctrl-C.'].filter(Boolean).join('\n'));
}

/**
 * Has V8 give back the memory that only the start took, a tenth of all; a usual collection would keep its pages. Does nothing where Node runs
 * without `--expose-gc` (SERVER_FLAGS).
 */
function giveBack(): void {
  globalThis.gc?.({ type: 'major', flavor: 'last-resort' });
}

/** Comes first, so that nothing is left running where the port is taken. */
async function assertPortFree(config: Config): Promise<void> {
  await new Promise<void>((fulfil, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(config.port, config.host, () => probe.close(() => fulfil()));
  }).catch(explainListenError(config));
}

const explainListenError =
  ({ port, host }: Config) =>
  (error: NodeJS.ErrnoException): never => {
    if (error.code === 'EADDRINUSE')
      throw new StartError(`Port ${port} on ${host} is taken: stop what uses it, or set PORT.`);
    if (error.code === 'EACCES')
      throw new StartError(`Port ${port} on ${host} needs more rights: set PORT to 1024 or more.`);
    throw new StartError(`Cannot listen on ${host}:${port}: ${error.message}`);
  };

/**
 * Watches for Ctrl-C, SIGTERM and the end of the terminal from the beginning, so that an interrupted start cleans up too.
 * @returns `stopping` is aborted at the first signal; `hurry` at the next one, which asks not to wait
 */
function watchSignals(): { stopping: AbortSignal; hurry: AbortSignal } {
  const stopping = new AbortController();
  const hurry = new AbortController();
  let first: number | undefined;
  const heed = () => {
    first ??= performance.now();
    stopping.abort();
    if (performance.now() - first > ONE_SIGNAL) hurry.abort();
  };
  for (const signal of SIGNALS) process.on(signal, heed);
  // A terminal that was closed takes no more of the log, a full disk none for now.
  process.stdout.on('error', () => {});
  return { stopping: stopping.signal, hurry: hurry.signal };
}

async function stopAll(stops: (() => Promise<unknown>)[]): Promise<void> {
  for (const stop of stops) {
    await stop().catch((error: Error) => console.error(`While stopping: ${error.message}`));
  }
}

/** Ends the process once what it has logged is written: a pipe takes that only as fast as it is read. A signal ends it before. */
function exit(code: number): void {
  for (const signal of SIGNALS) process.once(signal, () => process.exit(code));
  process.stdout.write('', () => process.exit(code));
}

main().then(
  () => exit(0),
  (error: Error) => {
    console.error(error instanceof StartError ? `Apotheca cannot start: ${error.message}` : error);
    exit(1);
  },
);
