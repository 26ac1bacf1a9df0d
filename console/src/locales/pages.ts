// The texts of the protected pages. The main layout loads them, so that the sign-in page is loaded without them.
import pages from './en-pages.json';
import { i18n } from './i18n.ts';

i18n.addResourceBundle('en', 'translation', pages, true);
