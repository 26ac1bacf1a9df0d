import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, test } from 'vitest';
import { setLanguage } from '../app/language.ts';
import { BulkRows } from './bulk-rows.tsx';

beforeEach(() => act(() => setLanguage('es')));
afterEach(() => act(() => setLanguage('en')));

test.each([
  [{ heading: 'Active', from: 'yes', to: 'no' }, 'Activo: sí → no'],
  [{ heading: 'Version', from: '11', to: '12' }, 'Versión: 11 → 12'],
  // The names of roles are nobody's to translate.
  [{ heading: 'Access Role', from: 'Status', to: 'Active' }, 'Rol de acceso: Status → Active'],
])('what changes is named in the language of the console: %j [§1] [§8]', (change, text) => {
  render(
    <BulkRows
      rows={[{ id: 'a', line: 1, record: 'ALDER', word: 'change', changes: [change], reasons: [] }]}
      words={[]}
    />,
  );
  screen.getByText(text);
});

test('the field that is refused is named in the language of the console [§1] [§8]', () => {
  const reason = { heading: 'Expiry Date', message: 'City should not be more than 256 characters' };
  render(
    <BulkRows
      rows={[{ id: 'a', line: 1, record: 'ALDER', word: 'refused', changes: [], reasons: [reason] }]}
      words={[]}
    />,
  );
  screen.getByText('Fecha de vencimiento: El campo «Ciudad» no debe tener más de 256 caracteres');
});
