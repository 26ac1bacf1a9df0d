const shortZones = new Map<string, string>();

/** '(UTC-06:00) America/Chicago' as 'Central (Chicago)'; what is no zone of the browser stays as it is. */
export function shortZone(displayName: string): string {
  const known = shortZones.get(displayName);
  if (known !== undefined) return known;
  const short = shorten(displayName);
  shortZones.set(displayName, short);
  return short;
}

function shorten(displayName: string): string {
  const timeZone = displayName.replace(/^\(UTC[^)]*\)\s*/, '');
  const city = timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? '';
  try {
    const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longGeneric' }).formatToParts(0);
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value.replace(/( Standard)? Time$/, '') ?? '';
    return name === '' || name === city || name === timeZone ? city : `${name} (${city})`;
  } catch {
    return displayName;
  }
}
