import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { choosePort } from './chosen-port.ts';

const RULES = fileURLToPath(new URL('../../../examples/watching/apotheca.rules.yml', import.meta.url));

/** A rule that fires an alert. */
export interface AlertRule {
  alert: string;
  expr: string;
}

/** The rules of a file of rules. It is read line by line: they are written in one form. */
export function rulesOf(text: string): AlertRule[] {
  return text
    .split(/^ {6}- alert: /m)
    .slice(1)
    .map((part) => {
      const [, expr = ''] = /^ {8}expr: (?:\|\n)?([\s\S]*?)^ {8}\w+:/m.exec(part) ?? [];
      return { alert: part.split('\n')[0] ?? '', expr: expr.trim() };
    });
}

/** Debian's Prometheus, which asks one server. */
export interface Prometheus {
  /** How each rule stands: its health, and whether it fires. */
  rules(): Promise<{ name: string; health: string; isFiring: boolean; evaluated: boolean }[]>;
  /** The value of an expression now; undefined: it has none. */
  value(expression: string): Promise<number | undefined>;
  stop(): Promise<void>;
}

/** How often the server is asked and the rules are evaluated: as often as a scrape may take while a pool is exhausted. */
const INTERVAL = '2s';

/**
 * Starts Prometheus on the rules of the examples, with data of its own. Alerts wait for nothing: `for` is taken out of the copy that it reads.
 * Thresholds and windows stay.
 * @param target host and port of the server
 */
export async function startPrometheus(target: string): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'apotheca-prometheus-'));
  const rules = (await readFile(RULES, 'utf8')).replace(/^ +for: .*\n/gm, '');
  await writeFile(join(folder, 'rules.yml'), rules);
  const config = `
global: { scrape_interval: ${INTERVAL}, scrape_timeout: ${INTERVAL}, evaluation_interval: ${INTERVAL} }
rule_files: [rules.yml]
scrape_configs: [{ job_name: apotheca, static_configs: [{ targets: ['${target}'] }] }]
`;
  await writeFile(join(folder, 'prometheus.yml'), config);
  await promisify(execFile)('promtool', ['check', 'config', join(folder, 'prometheus.yml')]);
  const port = await choosePort();
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: 'ignore' },
  );
  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
    return response?.ok ? response : undefined;
  };
  return {
    async rules() {
      const { data } = ((await (await ask('/api/v1/rules'))?.json()) ?? { data: { groups: [] } }) as Rules;
      return data.groups.flatMap(({ rules }) =>
        rules.map(({ name, health, state, lastEvaluation }) => ({
          name,
          health,
          isFiring: state === 'firing',
          evaluated: !lastEvaluation.startsWith('0001'),
        })),
      );
    },
    async value(expression) {
      const response = await ask(`/api/v1/query?query=${encodeURIComponent(expression)}`);
      const { data } = ((await response?.json()) ?? { data: { result: [] } }) as Values;
      const [first] = data.result;
      return first && Number(first.value[1]);
    },
    stop: () => end(child, folder),
  };
}

async function end(child: ChildProcess, folder: string): Promise<void> {
  const exited = once(child, 'exit');
  if (child.exitCode === null && child.kill('SIGKILL')) await exited;
  await rm(folder, { recursive: true, force: true });
}

interface Rules {
  data: { groups: { rules: { name: string; health: string; state: string; lastEvaluation: string }[] }[] };
}

interface Values {
  data: { result: { value: [number, string] }[] };
}
