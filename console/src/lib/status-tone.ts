type Tone = 'success' | 'muted' | 'warning' | 'info';

const TONES: Record<string, Tone | undefined> = {
  New: 'info',
  Onboarding: 'info',
  Live: 'success',
  Suspended: 'warning',
  Closed: 'muted',
};

/** The badge colour of a tenant status; an unknown status is neutral, like a closed one. */
export const statusTone = (name: string): Tone => TONES[name] ?? 'muted';
