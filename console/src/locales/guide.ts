// The texts of the guide, in both languages: they come with it, and name buttons by the texts of the screens and of second factors.
import './factors.ts';
import en from './en-guide.json';
import es from './es-guide.json';
import { i18n } from './i18n.ts';

i18n.addResourceBundle('en', 'translation', en, true);
i18n.addResourceBundle('es', 'translation', es, true);
