import { RESERVED_DATABASE_NAMES } from '@apotheca/contract/database-name';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { physicalName, quoteIdentifier } from './names.ts';

const IDENTIFIER = /^[a-z][a-z0-9_]{0,62}$/;
const uuid = fc.uuid();
/** Any text that somebody might ask for as a name, also longer than the 256 characters of a database's name. */
const displayName = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.string({
    unit: fc.constantFrom('A', 'z', '0', '_', '-', ' ', '"', "'", ';', '\u0000', 'İ', 'ß', '😀'),
    maxLength: 300,
  }),
  fc.constantFrom(...RESERVED_DATABASE_NAMES, '', '_', '___', 'A'.repeat(256), '"; drop database apotheca; --'),
);

describe('the physical name of a database', () => {
  it('is an identifier of at most 63 bytes, whatever the name is [§2.13]', () => {
    fc.assert(
      fc.property(uuid, displayName, (id, name) => {
        const identifier = physicalName(id, name);
        expect(identifier).toMatch(IDENTIFIER);
        expect(Buffer.byteLength(identifier)).toBeLessThanOrEqual(63);
        expect(quoteIdentifier(identifier)).toBe(`"${identifier}"`);
      }),
      { numRuns: 1000 },
    );
  });

  it('is never that of another database, however alike their names are [§2.13]', () => {
    fc.assert(
      fc.property(uuid, uuid, displayName, displayName, (one, other, name, otherName) => {
        fc.pre(one !== other);
        expect(physicalName(one, name)).not.toBe(physicalName(other, name));
        expect(physicalName(one, name)).not.toBe(physicalName(other, otherName));
      }),
      { numRuns: 1000 },
    );
  });

  it('differs for two long names that begin alike, which PostgreSQL would cut to the same [§2.13]', () => {
    const long = 'SILVERLAKE'.repeat(25);
    const [one, other] = ['11111111-1111-4111-8111-111111111111', '11111111-1111-4111-8111-111111111112'];
    expect(physicalName(one, `${long}-1`)).not.toBe(physicalName(other, `${long}-2`));
  });

  it('begins with the whole id and shows the name in the cluster [§2.13]', () => {
    const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
    expect(physicalName(id, 'Silver Lake – Clinic #2')).toBe(
      'db_0f8fad5bd9cb469fa16570867728950e_silver_lake_clinic_2',
    );
    expect(physicalName(id, '診療所')).toBe('db_0f8fad5bd9cb469fa16570867728950e');
  });

  it('is never a name that PostgreSQL or the platform already has [§2.13]', () => {
    const taken = ['postgres', 'template0', 'template1', 'apotheca', 'apotheca_tenant'];
    fc.assert(fc.property(uuid, displayName, (id, name) => !taken.includes(physicalName(id, name))));
  });

  it('is refused for an id that is no UUID [§2.13]', () => {
    for (const id of ['"; drop', 'ÄÖ', 'ID WITH BLANKS'])
      expect(() => physicalName(id, 'x')).toThrow('Not an identifier');
  });
});

describe('quoteIdentifier', () => {
  it('quotes exactly the identifiers of the platform, and refuses every other text [§2.13]', () => {
    const anything = fc.oneof(
      displayName,
      fc.stringMatching(/^[a-z][a-z0-9_]{0,70}$/),
      fc.stringMatching(/^[a-z_0-9"$-]{0,8}$/),
    );
    fc.assert(
      fc.property(anything, (name) => {
        if (IDENTIFIER.test(name)) expect(quoteIdentifier(name)).toBe(`"${name}"`);
        else expect(() => quoteIdentifier(name)).toThrow('Not an identifier of the platform');
      }),
      { numRuns: 1000 },
    );
  });

  it.each(['', 'A', 'Apotheca', '1a', '_a', 'a-b', 'a b', 'a"b', 'a\n', 'a\u0000', 'ä', 'a;b', 'a'.repeat(64)])(
    'refuses %j [§2.13]',
    (name) => {
      expect(() => quoteIdentifier(name)).toThrow('Not an identifier of the platform');
    },
  );

  it.each(['a', 'a1_', 'a'.repeat(63)])('quotes %j [§2.13]', (name) => {
    expect(quoteIdentifier(name)).toBe(`"${name}"`);
  });
});
