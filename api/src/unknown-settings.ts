import { closest, distance } from 'fastest-levenshtein';
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
    return `${name} is unknown and ignored${nearest ? `: perhaps you meant ${nearest}` : ''}`;
  });
}

/** The setting whose name is most like another one, unless a third of that must be changed. */
function nearestOf(name: string): string | undefined {
  const nearest = closest(name, KNOWN);
  return distance(name, nearest) <= (name.length - PREFIX.length) / 3 ? nearest : undefined;
}
