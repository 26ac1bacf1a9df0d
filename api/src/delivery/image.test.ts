import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Copy, DockerfileParser, type From, type Healthcheck, type Instruction } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { SERVER, SERVER_FLAGS } from '../../../scripts/setup.mjs';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const TEXT = read('Dockerfile');
const INSTRUCTIONS: Instruction[] = DockerfileParser.parse(TEXT).getInstructions();

interface Stage {
  name: string;
  base: string;
  instructions: Instruction[];
}

/** The stages, the image's own last. */
const STAGES = INSTRUCTIONS.reduce<Stage[]>((stages, each) => {
  if (each.getKeyword() === 'FROM') {
    const from = each as From;
    stages.push({ name: from.getBuildStage() ?? '', base: from.getImage() ?? '', instructions: [] });
  } else stages.at(-1)?.instructions.push(each);
  return stages;
}, []);
const IMAGE = STAGES.at(-1);

/** The arguments of the image's instructions of a kind. */
const argumentsOf = (keyword: string, { instructions }: Stage = IMAGE as Stage) =>
  instructions.filter((each) => each.getKeyword() === keyword).map((each) => each.getArgumentsContent() ?? '');
const listOf = (keyword: string): string[] => JSON.parse(argumentsOf(keyword)[0] ?? '');

describe('the Dockerfile', () => {
  it('has no fault that a linter finds [DECISIONS §13]', () => {
    expect(validate(TEXT).map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([]);
    expect(validate(TEXT.replace('WORKDIR /build', 'WORKDIR build'))).not.toEqual([]);
  });

  it('builds elsewhere, and runs what was built as an account without a name or rights, on a base without tools [DECISIONS §13]', () => {
    expect(STAGES.map(({ name }) => name)).toEqual(['build', 'client', 'pgbouncer', '']);
    expect(IMAGE?.base).toMatch(/^gcr\.io\/distroless\/cc-debian\d+$/);
    expect(argumentsOf('RUN')).toEqual([]);
    expect(argumentsOf('USER')).toEqual(['10001:10001']);
    for (const stage of STAGES.slice(2))
      expect(argumentsOf('USER', stage).at(-1), stage.name).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(STAGES.filter(({ base }) => !/:[\w.-]+$|-debian\d+$/.test(base)).map(({ base }) => base)).toEqual([]);
  });

  it('copies what an earlier stage has made, and starts files that are there [DECISIONS §13]', () => {
    const copies = (IMAGE?.instructions ?? []).filter((each): each is Copy => each.getKeyword() === 'COPY');
    const flags = copies.map((each) => each.getFlags().filter((flag) => flag.getName() === 'from'));
    expect(flags.flat().map((flag) => flag.getValue())).toEqual(['client', 'build', 'build']);
    expect(argumentsOf('WORKDIR')).toEqual(['/usr/lib/apotheca']);
    expect([...listOf('ENTRYPOINT'), ...listOf('CMD')]).toEqual(['bin/node', ...SERVER_FLAGS, SERVER]);
    const [, check = ''] = /CMD (\[.*\])/.exec(argumentsOf('HEALTHCHECK')[0] ?? '') ?? [];
    expect(JSON.parse(check)).toEqual(['bin/node', 'api/src/health-check.ts']);
    for (const file of [SERVER, 'api/src/health-check.ts']) expect(existsSync(join(ROOT, file))).toBe(true);
  });

  it('is given as long for its start as the chart gives a pod: it listens once it has migrated [DECISIONS §13]', () => {
    const chart = read('charts/apotheca/templates/_helpers.tpl');
    const [, period, failures] = /startupProbe:.*?periodSeconds: (\d+).*?failureThreshold: (\d+)/s.exec(chart) ?? [];
    const isCheck = (each: Instruction): each is Healthcheck => each.getKeyword() === 'HEALTHCHECK';
    const flags = IMAGE?.instructions.find(isCheck)?.getFlags() ?? [];
    const given = flags.find((flag) => flag.getName() === 'start-period')?.getValue() ?? '';
    const seconds = Number.parseInt(given, 10) * (given.endsWith('h') ? 3600 : 1);
    expect(seconds).toBeGreaterThanOrEqual(Number(period) * Number(failures));
  });

  it('takes into its build only what is there, and no secrets, tests or data [DECISIONS §13]', () => {
    const lines = read('.dockerignore')
      .split('\n')
      .filter((line) => line && !line.startsWith('#'));
    expect(lines[0]).toBe('*');
    const taken = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(taken.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    // npm looks at the description of every workspace.
    const { workspaces } = JSON.parse(read('package.json'));
    const isTaken = (workspace: string) => taken.includes(workspace) || taken.includes(`${workspace}/package.json`);
    expect(workspaces.filter((workspace: string) => !isTaken(workspace))).toEqual([]);
    // Vite reads what the console's own settings extend.
    expect(taken).toContain(JSON.parse(read('console/tsconfig.json')).extends.replace('../', ''));
    expect(lines).toEqual(expect.arrayContaining(['**/node_modules', '**/*.test.ts', 'data']));
    expect(taken.filter((path) => /^(data|secrets|\.env)/.test(path))).toEqual([]);
  });
});

describe('how the server is started', () => {
  it('is the same by npm, in the image and as a service [DECISIONS §13]', () => {
    const command = ['bin/node', ...SERVER_FLAGS, SERVER].join(' ');
    expect(read('packaging/apotheca.service')).toContain(`ExecStart=/usr/lib/apotheca/${command}\n`);
    for (const file of ['Dockerfile', 'packaging/apotheca.service', 'scripts/start.mjs'])
      expect(read(file), file).toMatch(/MALLOC_ARENA_MAX[=:] ?'?1/);
  });
});
