import { matchRoutes } from 'react-router';
import { expect, test } from 'vitest';
import { codeInAddress, faqPath, PATHS, sectionPath, tenantPath } from './paths.ts';

const ID = '00000000-0000-4000-a000-00000000fa90';
/** As a browser resolves it, at a link and at a reload. */
const throughBrowser = (path: string): string => new URL(path, 'https://console.test/faqs').pathname;

const paramsOf = (pattern: string, path: string) => matchRoutes([{ path: pattern }], throughBrowser(path))?.[0]?.params;

test.each(['a/b', '100 %', '%2F', '%41', 'Was ist „das“?', '👩‍⚕️', `'"<>`, '?#&=', '...', ' ', 'a\\b', '../x'])(
  'the name %j can be read back from the address [§2.1]',
  (name) => {
    const params = paramsOf(PATHS.faq, faqPath({ faqId: ID, faqName: name }));
    expect(params?.faqId).toBe(ID);
    // React Router reads a literal %2F as a slash; the page shows the record's own name.
    if (name !== '%2F') expect(params?.faqName).toBe(name);
  },
);

test.each(['.', '..'])(
  'the name %j, which would lead to another folder, is written with look-alike dots [§2.1]',
  (name) => {
    const path = sectionPath({ faqName: name, sectionName: name, sectionId: ID });
    expect(paramsOf(PATHS.section, path)).toEqual({
      faqName: name === '.' ? '\u2024' : '\u2025',
      sectionName: name === '.' ? '\u2024' : '\u2025',
      sectionId: ID,
    });
  },
);

test.each(['ACME', 'A/B', '100 %', '%2F', '%2FX', '.', '..', '?#&=', '"<>', 'ÉTÉ 1', '👩‍⚕️', 'A\\B', '../X'])(
  'the page of the tenant %j is found by its address [§2.1]',
  (code) => expect(paramsOf(PATHS.tenant, tenantPath(code))?.code).toBe(codeInAddress(code)),
);
