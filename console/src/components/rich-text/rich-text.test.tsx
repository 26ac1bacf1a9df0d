import { render, screen } from '@testing-library/react';
import { onTestFinished, test } from 'vitest';
import '../../locales/es.ts';
import { i18n } from '../../locales/i18n.ts';
import { RichText } from './rich-text.tsx';

test('a table is named in the language of the reader [§1] [§2.20]', async () => {
  onTestFinished(() => void i18n.changeLanguage('en'));
  await i18n.changeLanguage('es');
  render(<RichText html="<table><tbody><tr><td>5 °C</td></tr></tbody></table>" />);
  await screen.findByRole('group', { name: 'Tabla' });
});
