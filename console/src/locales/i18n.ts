import i18n from 'i18next';
import { initReactI18next } from 'react-i18next';
import en from './en.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: {
      translation: typeof en &
        typeof import('./en-pages.json') &
        typeof import('./en-factors.json') &
        typeof import('./en-guide.json');
    };
  }
}

// Bundled texts make the initialization synchronous: t() has its texts from the first render on.
i18n.use(initReactI18next).init({
  lng: 'en',
  fallbackLng: 'en',
  resources: { en: { translation: en } },
  interpolation: { escapeValue: false },
});

export { i18n };
