import { type AuditPage, type AuditTrailEntry, SEARCH_PAGE, type Verification } from '@apotheca/contract/audit';

/** An entry of the audit trail: the city of a tenant was changed. */
export const makeEntry = (fields: Partial<AuditTrailEntry> = {}): AuditTrailEntry => ({
  id: '7',
  onUtc: '2026-03-04T09:30:00.000Z',
  actorId: '00000000-0000-4000-8000-000000000002',
  actorName: 'grace',
  action: 'tenants.edit',
  entity: 'tenants',
  entityId: '00000000-0000-4000-8000-000000000003',
  outcome: 'succeeded',
  address: '198.51.100.7',
  changes: { code: 'CEDARVA', city: ['Everett', 'Aspen'], version: [1, 2] },
  ...fields,
});

/** What a search answers; where the page is full, it goes on after it. */
export function makeAuditPage(entries: AuditTrailEntry[], further: AuditPage['further'] = null): AuditPage {
  const last = entries.length === SEARCH_PAGE ? entries.at(-1) : undefined;
  return { entries, further: last ? { before: last.id, onUtc: last.onUtc } : further };
}

/** A verification that found nothing wrong. */
export const makeVerification = (fields: Partial<Verification> = {}): Verification => ({
  isUnderWay: false,
  checked: 0,
  entries: 12,
  endedOnUtc: '2026-03-04T01:00:00.000Z',
  verified: 12,
  problem: '',
  ...fields,
});
