// All Spanish texts, as a chunk of their own: nobody loads them who reads English.
import messages from '@apotheca/contract/messages/es.json';
import es from './es.json';
import factors from './es-factors.json';
import pages from './es-pages.json';
import { i18n } from './i18n.ts';
import { translationOf } from './message-translation.ts';
import { rewriteMessages } from './messages.ts';

for (const texts of [es, pages, factors]) i18n.addResourceBundle('es', 'translation', texts, true);

const inSpanish = translationOf(messages);
rewriteMessages((text) => (i18n.language === 'es' ? inSpanish(text) : text));
