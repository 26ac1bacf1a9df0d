// The texts of the protected pages: they come with the main layout, so that the sign-in page loads without them.
import pages from './en-pages.json';
import { i18n } from './i18n.ts';

i18n.addResourceBundle('en', 'translation', pages, true);
