// The texts of second factors: of the second step of a sign-in, which most sign-ins do not have, and of one's own account.
import factors from './en-factors.json';
import { i18n } from './i18n.ts';

i18n.addResourceBundle('en', 'translation', factors, true);
