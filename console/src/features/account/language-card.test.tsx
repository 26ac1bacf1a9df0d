import { type Preferences, preferenceRoutes } from '@apotheca/contract/preferences';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { restoreLanguage } from '../../app/language.ts';
import { useOwnLanguage } from '../../app/use-own-language.ts';
import { i18n } from '../../locales/i18n.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { LanguageCard } from './language-card.tsx';

/** What the mocked server keeps. */
let kept: Preferences;

mockServer(
  onRoute(preferenceRoutes.get, () => ok(kept)),
  onRoute(preferenceRoutes.putLanguage, async ({ request }) => {
    kept = { ...kept, ...((await request.json()) as Pick<Preferences, 'language'>) };
    return ok(kept);
  }),
);

beforeEach(() => {
  kept = { lists: {}, language: 'en' };
});
afterEach(() => act(() => i18n.changeLanguage('en')));

function Shown() {
  useOwnLanguage();
  return <LanguageCard />;
}

test('the chosen language is shown at once, stored, and that of the next page in this browser [DECISIONS §13]', async () => {
  const { user } = renderWithStore(<Shown />);
  const select = await screen.findByRole('combobox', { name: 'Language of the console' });
  await user.selectOptions(select, 'Español');
  await screen.findByRole('heading', { name: 'Idioma' });
  expect(kept.language).toBe('es');
  expect(document.documentElement.lang).toBe('es');
  await act(() => i18n.changeLanguage('en'));
  await act(restoreLanguage);
  screen.getByRole('heading', { name: 'Idioma' });
  await user.selectOptions(screen.getByRole('combobox'), 'English');
  await screen.findByRole('heading', { name: 'Language' });
  expect(document.documentElement.lang).toBe('en');
});

test('the language that was chosen in another browser is shown here too [DECISIONS §13]', async () => {
  kept = { lists: {}, language: 'es' };
  renderWithStore(<Shown />);
  await screen.findByRole('combobox', { name: 'Idioma de la consola' });
});

test('the language that is chosen in another tab is shown here at once, and nothing else that is stored there [DECISIONS §13]', async () => {
  renderWithStore(<Shown />);
  await screen.findByRole('combobox', { name: 'Language of the console' });
  const tell = (key: string, newValue: string | null) =>
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key, newValue })));
  tell('language', 'es');
  await screen.findByRole('heading', { name: 'Idioma' });
  expect(document.documentElement.lang).toBe('es');
  tell('layout', 'en');
  tell('language', null);
  tell('language', 'tlh');
  screen.getByRole('heading', { name: 'Idioma' });
  tell('language', 'en');
  await screen.findByRole('heading', { name: 'Language' });
});

test('the language of before can be chosen again once another tab has chosen one [DECISIONS §13]', async () => {
  const { user } = renderWithStore(<Shown />);
  await screen.findByRole('combobox', { name: 'Language of the console' });
  kept = { ...kept, language: 'es' };
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'language', newValue: 'es' })));
  const select = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Idioma de la consola' });
  expect(select.value).toBe('es');
  await user.selectOptions(select, 'English');
  await screen.findByRole('heading', { name: 'Language' });
  expect(kept.language).toBe('en');
});

test('a refused choice says why and changes nothing [§8]', async () => {
  server.use(onRoute(preferenceRoutes.putLanguage, () => failed(503, 'The database cannot be reached.')));
  const { user } = renderWithStore(<Shown />);
  const select = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Language of the console' });
  await user.selectOptions(select, 'Español');
  await screen.findByText('The database cannot be reached.');
  await waitFor(() => expect(select.value).toBe('en'));
});

test('the select keeps the focus while the choice is stored, and what is chosen meanwhile stays [§2.20]', async () => {
  const answer = Promise.withResolvers<void>();
  const asked: unknown[] = [];
  server.use(
    onRoute(preferenceRoutes.putLanguage, async ({ request }) => {
      const body = (await request.json()) as Pick<Preferences, 'language'>;
      asked.push(body.language);
      if (asked.length === 1) await answer.promise;
      kept = { ...kept, ...body };
      return ok(kept);
    }),
  );
  const { user } = renderWithStore(<LanguageCard />);
  const select = await screen.findByRole('combobox', { name: 'Language of the console' });
  await user.selectOptions(select, 'Español');
  await waitFor(() => expect(select.getAttribute('aria-busy')).toBe('true'));
  expect(select.matches(':disabled')).toBe(false);
  expect(document.activeElement).toBe(select);
  // The one that is shown is chosen once more, as an arrow key may.
  fireEvent.change(select, { target: { value: 'es' } });
  answer.resolve();
  await waitFor(() => expect(asked).toEqual(['es', 'es']));
  await waitFor(() => expect(select.hasAttribute('aria-busy')).toBe(false));
  expect(document.activeElement).toBe(select);
  expect(kept.language).toBe('es');
});
