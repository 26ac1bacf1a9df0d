import { SECRET_SETTINGS, settings } from './settings.ts';

const PREFIX = 'APOTHECA_';

const KNOWN = [...Object.keys(settings.shape), ...SECRET_SETTINGS.map((name) => `${name}_FILE`)];

/** What other programs of this repository read, and a shell may have. */
const OF_OTHERS = /^APOTHECA_(URL|API_KEY|BACKUP_IDENTITY|CHROMIUM|TEST_POSTGRESQL|LONG_TESTS|(E2E|KILLS)_\w+)$/;

/** What Kubernetes sets for each of its services, of which one is named apotheca. */
const SERVICE_LINK = /_(SERVICE_(HOST|PORT(_\w+)?)|PORT(_\d+_(TCP|UDP|SCTP)(_\w+)?)?)$/;

/** A line for each variable that begins as settings do and is none, so that a misspelt one is told. */
export function unknownSettings(environment: Record<string, string | undefined>): string[] {
  const unknown = Object.entries(environment).flatMap(([name, value]) =>
    value && name.startsWith(PREFIX) && !KNOWN.includes(name) && !OF_OTHERS.test(name) && !SERVICE_LINK.test(name)
      ? [name]
      : [],
  );
  return unknown.map((name) => {
    const nearest = nearestOf(name);
    return `${name} is no setting and is ignored${nearest ? `: is ${nearest} meant?` : '.'}`;
  });
}

/** The setting whose name is most like another one, unless a third of that must be changed. */
function nearestOf(name: string): string | undefined {
  const ranked = KNOWN.map((known) => ({ known, changes: changesBetween(name, known) }));
  const [best] = ranked.sort((one, other) => one.changes - other.changes);
  return best && best.changes <= (name.length - PREFIX.length) / 3 ? best.known : undefined;
}

/** How many letters must be put in, taken out or replaced to make one word of the other (Levenshtein). */
function changesBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1];
    for (const [index, wanted] of [...other].entries()) {
      const [above = 0, left = 0, diagonal = 0] = [row[index + 1], next[index], row[index]];
      next.push(Math.min(above + 1, left + 1, diagonal + (letter === wanted ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
