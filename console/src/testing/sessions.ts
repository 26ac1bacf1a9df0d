import { type OpenSession, openSession } from '@apotheca/contract/auth';

let made = 0;

/** An open session as the list gives it, checked against the contract. */
export function makeSession(fields: Partial<OpenSession> = {}): OpenSession {
  made += 1;
  return openSession.parse({
    id: `00000000-0000-4000-b000-${String(made).padStart(12, '0')}`,
    kind: 'console',
    name: '',
    provider: '',
    device: 'Firefox 142 on Windows',
    address: '198.51.100.7',
    createdOnUtc: '2026-02-03T12:00:00.000Z',
    lastUsedOnUtc: '2026-02-03T15:30:00.000Z',
    expiresOnUtc: '2026-02-10T12:00:00.000Z',
    isCurrent: false,
    ...fields,
  });
}
