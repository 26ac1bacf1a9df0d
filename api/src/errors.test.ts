import { ERRORS } from '@apotheca/contract/errors';
import { describe, expect, it } from 'vitest';

describe('the table of errors', () => {
  it('has the statuses of the requirements, each with a title and a sentence [§8]', () => {
    const statuses = new Set(Object.values(ERRORS).map(({ status }) => status));
    expect([...statuses].toSorted()).toEqual([400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 429, 500, 503, 507]);
    for (const [code, { title, message }] of Object.entries(ERRORS)) {
      expect(title, code).toMatch(/^[A-Z]/);
      expect(message, code).toMatch(/^[A-Z].*\.$/);
    }
    expect(ERRORS['session-ended'].message).toBe('Your session has expired. Please login again.');
  });
});
