import { readFile } from 'node:fs/promises';

/** The blocks of shell commands in a section of docs/operations.md, without those of the sections below it. */
export async function readCommands(section: string): Promise<string[]> {
  const text = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const [, found = ''] = text.split(new RegExp(`^#+ ${section}\n`, 'm'));
  const [own = ''] = found.split(/^##+ /m);
  return [...own.matchAll(/```sh\n(.*?)```/gs)].map(([, commands = '']) => commands);
}
