/** '(UTC-06:00) Central Time (Chicago)', as the server names time zones, is 'Central (Chicago)'. */
export const shortZone = (displayName: string): string =>
  displayName.replace(/^\(UTC[^)]*\)\s*/, '').replace(/(?: Standard)? Time(?= \()/, '');
