import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useBegun } from './use-begun.ts';

interface Named {
  name: string;
  version: number;
}

const ada: Named = { name: 'Ada', version: 3 };

/** A form, rendered with the newest record and whether something is typed. */
const renderForm = () =>
  renderHook(
    ({ newest, isDirty }: { newest: Named; isDirty: boolean }) => {
      const form = useBegun(newest, ({ name }) => name);
      form.followUnless(isDirty);
      return form;
    },
    { initialProps: { newest: ada, isDirty: false } },
  );

test('an edit begins with the newest record until something is typed, and then with one whose fields are the same [DECISIONS §13]', () => {
  const { result, rerender } = renderForm();
  const byrons = { name: 'Augusta', version: 4 };
  rerender({ newest: byrons, isDirty: false });
  expect(result.current.begun).toBe(byrons);
  rerender({ newest: { ...byrons, version: 5 }, isDirty: true });
  expect(result.current.begun.version).toBe(5);
  rerender({ newest: { name: 'Lovelace', version: 6 }, isDirty: true });
  expect(result.current.begun.version).toBe(5);
});

test.each([true, false])(
  'after saving the next edit begins with what was saved, though the newest is still what was before: typed on %s [DECISIONS §13]',
  (isDirty) => {
    const { result, rerender } = renderForm();
    rerender({ newest: ada, isDirty: true });
    const saved = { name: 'Augusta', version: 4 };
    act(() => result.current.follow(saved));
    rerender({ newest: ada, isDirty });
    expect(result.current.begun).toBe(saved);
    rerender({ newest: saved, isDirty });
    expect(result.current.begun).toBe(saved);
    // Somebody else's.
    rerender({ newest: { name: 'Lovelace', version: 5 }, isDirty });
    expect(result.current.begun.version).toBe(isDirty ? 4 : 5);
  },
);
