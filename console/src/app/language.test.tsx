import { act, render, screen } from '@testing-library/react';
import { useTranslation } from 'react-i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import '../locales/factors.ts';
import { i18n } from '../locales/i18n.ts';
import { restoreLanguage, setLanguage } from './language.ts';

// In a worker of its own: Spanish is loaded once.
function Shown() {
  const { t, i18n } = useTranslation();
  return <p>{`${i18n.language}: ${t('main.loading')}, ${t('users.title')}, ${t('factors.codes.title')}`}</p>;
}

const ENGLISH = 'en: Loading, Users, Recovery codes';
const SPANISH = 'es: Cargando, Usuarios, Códigos de recuperación';

/** What the page says of itself, and what the next visit finds. */
const state = (): (string | null)[] => [document.documentElement.lang, localStorage.getItem('language')];

beforeEach(() => {
  document.documentElement.lang = 'en';
});

afterEach(() => act(() => setLanguage('en')));

describe('language', () => {
  it('is English until another one is chosen, whatever the browser prefers [§1]', async () => {
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['es-ES']);
    vi.spyOn(navigator, 'language', 'get').mockReturnValue('es-ES');
    await restoreLanguage();
    render(<Shown />);
    expect(screen.getByText(ENGLISH)).toBeDefined();
    expect(state()).toEqual(['en', null]);
  });

  it('changes on all screens at once, and is told to the browser and kept [§1]', async () => {
    expect(i18n.hasResourceBundle('es', 'translation')).toBe(false);
    render(<Shown />);
    await act(() => setLanguage('es'));
    expect(screen.getByText(SPANISH)).toBeDefined();
    expect(state()).toEqual(['es', 'es']);
    await act(() => setLanguage('en'));
    expect(screen.getByText(ENGLISH)).toBeDefined();
    expect(state()).toEqual(['en', 'en']);
  });

  it('has its texts before the first screen of the next visit [§1]', async () => {
    localStorage.setItem('language', 'es');
    await restoreLanguage();
    render(<Shown />);
    expect(screen.getByText(SPANISH)).toBeDefined();
    expect(document.documentElement.lang).toBe('es');
  });

  it('is English where something else is stored [§1]', async () => {
    localStorage.setItem('language', 'tlh');
    await restoreLanguage();
    render(<Shown />);
    expect(screen.getByText(ENGLISH)).toBeDefined();
  });

  it('is the one that was chosen last, also where the texts of another come later [§1]', async () => {
    render(<Shown />);
    await act(() => Promise.all([setLanguage('es'), setLanguage('en')]));
    expect(screen.getByText(ENGLISH)).toBeDefined();
    expect(state()).toEqual(['en', 'en']);
  });

  it('takes the plural of a number as the language has it [§1]', async () => {
    await setLanguage('es');
    const counts = [1, 2, 1_000_000].map((count) => i18n.t('bulks.what.databases', { count }));
    expect(counts).toEqual(['1 base de datos', '2 bases de datos', '1.000.000 de bases de datos']);
  });
});
