const UNKNOWN = 'Unknown device';
/** How much of an unknown user agent is shown, in characters. */
const SHOWN_LENGTH = 60;

/** A user agent in words, such as 'Firefox 142 on Windows'; an unknown one is only cut. */
export async function deviceOf(userAgent: string): Promise<string> {
  // Loaded when it is needed, as its list of browsers takes 4 MB.
  const { parse } = await import('bowser');
  // Bowser throws on an empty text.
  const { browser, os } = parse(userAgent || UNKNOWN);
  if (!browser.name) return userAgent.slice(0, SHOWN_LENGTH).trim() || UNKNOWN;
  const version = browser.version?.split('.')[0];
  const program = version ? `${browser.name} ${version}` : browser.name;
  return os.name ? `${program} on ${os.name}` : program;
}
