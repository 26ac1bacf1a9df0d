import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes the settings of the lost machine where a shell can read them. */
export async function keepSettings(dataDir: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const lines = Object.entries(settings).map(([name, value]) => `${name}='${value.replaceAll("'", `'\\''`)}'\n`);
  await writeFile(join(dataDir, 'recovered.env'), lines.join(''), { mode: 0o600 });
}
