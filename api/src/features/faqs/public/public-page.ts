import { createHash } from 'node:crypto';
import { FAQ_LIMITS } from '@apotheca/contract/faq-content';
import { PUBLIC_FAQS, publicFaqPath } from '@apotheca/contract/faqs';
import type { FailureReply } from '@apotheca/contract/reply';
import { withScrollingTables, withTags } from '@apotheca/contract/rich-text';
import type { PublicContent, PublicFaq, PublicQuestion } from './public-content.ts';
import { PUBLIC_STYLE } from './public-style.ts';

/** Most results of a search. */
const MAX_HITS = 100;

/** The only style of the pages, as the content security policy names it. */
export const STYLE_HASH = `'sha256-${createHash('sha256').update(PUBLIC_STYLE).digest('base64')}'`;

/** What a page is made for. */
interface Place {
  /** The code of the reader's tenant; absent: none. */
  tenant?: string | undefined;
}

/** The page of all FAQs. */
export function indexPage(faqs: readonly PublicFaq[], place: Place): string {
  const entries = faqs.map(
    ({ name, overview, ...faq }) => `<li><h2 dir="auto"><a href="${pathOf(faq, place)}">${escaped(name)}</a></h2>
${richText(overview, 3)}</li>`,
  );
  return page('Frequently asked questions', [
    '<main id="content">',
    entries.length === 0 ? '<p>There are none yet.</p>' : `<ul class="faqs">${entries.join('\n')}</ul>`,
    '</main>',
  ]);
}

/** The page of one FAQ, with everything that readers see of it. */
export function faqPage(faq: PublicContent, place: Place): string {
  const { name, overview, sections } = faq;
  return page(
    name,
    [
      searchForm(faq, place, ''),
      sections.length > 1 ? contentsOf(faq) : '',
      '<main id="content">',
      richText(overview, 2),
      ...inVotes(
        faq,
        place,
        sections.map(
          (section) => `<section aria-labelledby="s-${section.id}">
<h2 id="s-${section.id}" dir="auto">${escaped(section.name)}</h2>
${richText(section.overview, 3)}
${section.questions.map(entryOf).join('\n')}
</section>`,
        ),
      ),
      '</main>',
      backToAll(place),
    ],
    { feed: `${pathOf(faq, place, '/feed.json')}` },
  );
}

/** The questions of one FAQ that have all words of a text in question or answer, whatever their case and accents. */
export function searchPage(faq: PublicContent, place: Place, text: string): string {
  const hits = searchIn(faq, text);
  const shown = hits.slice(0, MAX_HITS);
  const count = hits.length === 1 ? '1 result' : `${hits.length} results`;
  const more = hits.length > MAX_HITS ? ` The first ${MAX_HITS} are shown.` : '';
  return page(`Search in ${faq.name}`, [
    searchForm(faq, place, text),
    '<main id="content">',
    `<h2>${count} for “<bdi>${escaped(text)}</bdi>”</h2><p>${more}<a href="${pathOf(faq, place)}">Show all questions</a></p>`,
    ...inVotes(faq, place, shown.map(entryOf)),
    '</main>',
  ]);
}

/** What is answered to a vote. */
export const thanksPage = (faq: PublicContent, place: Place, questionId: string): string =>
  page('Thank you', [
    '<main id="content">',
    `<p>Your answer was noted.</p><p><a href="${pathOf(faq, place)}#q-${questionId}">Back to the question</a></p>`,
    '</main>',
  ]);

/** The page for an address that shows nothing, whatever the reason. */
export const missingPage = (): string =>
  page('There is no such page', [
    '<main id="content">',
    `<p>It may have been removed. <a href="${PUBLIC_FAQS}">All frequently asked questions</a></p>`,
    '</main>',
  ]);

/** The page for a call that failed otherwise. */
export const failurePage = ({ title, message }: Pick<FailureReply, 'title' | 'message'>): string =>
  page(title, [
    '<main id="content">',
    `<p>${escaped(message)} <a href="${PUBLIC_FAQS}">All frequently asked questions</a></p>`,
    '</main>',
  ]);

/** An FAQ as a JSON Feed 1.1, https://www.jsonfeed.org/version/1.1/. @param origin of absolute addresses */
export function feedOf(faq: PublicContent, place: Place, origin: string): string {
  const home = origin + pathOf(faq, place);
  const absolute = (html: string) =>
    withTags(html, (tag) => tag.replace(/ (src|href)="(?=\/(?!\/))/g, ` $1="${origin}`));
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: faq.name,
    home_page_url: home,
    feed_url: origin + pathOf(faq, place, '/feed.json'),
    items: faq.sections.flatMap(({ name, questions }) =>
      questions.map(({ id, question, answer, createdOnUtc, updatedOnUtc }) => ({
        id,
        url: `${home}#q-${id}`,
        title: question,
        content_html: absolute(answer),
        date_published: createdOnUtc,
        date_modified: updatedOnUtc,
        tags: [name],
      })),
    ),
  });
}

/** The path of an FAQ's page for a reader, or of what is below it. */
const pathOf = (faq: Pick<PublicFaq, 'id' | 'code'>, place: Place, below = ''): string =>
  publicFaqPath(faq) + below + queryOf(place);

const queryOf = ({ tenant }: Place): string => (tenant ? `?tenant=${encodeURIComponent(tenant)}` : '');

function searchIn({ sections }: PublicContent, text: string): PublicQuestion[] {
  const words = plain(text).split(/\s+/);
  return sections.flatMap(({ questions }) =>
    questions.filter((entry) => {
      const searched = searchedIn(entry);
      return words.every((word) => searched.includes(word));
    }),
  );
}

/** Content stays in memory between searches, so the text of each question is made once. */
const known = new WeakMap<PublicQuestion, string>();

function searchedIn(entry: PublicQuestion): string {
  const searched = known.get(entry) ?? plain(`${entry.question} ${entry.text}`);
  known.set(entry, searched);
  return searched;
}

/** Lower case without accents, as the lists of the console are searched. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const searchForm = (faq: PublicFaq, place: Place, text: string): string => `
<form class="search" role="search" action="${pathOf(faq, {})}">
<label for="q">Search</label>
<input id="q" type="search" name="q" value="${escaped(text)}" maxlength="${FAQ_LIMITS.search}" required>
${place.tenant ? `<input type="hidden" name="tenant" value="${escaped(place.tenant)}">` : ''}<button>Search</button>
</form>`;

const contentsOf = ({ sections }: PublicContent): string => `<nav aria-label="Sections"><ul>
${sections.map(({ id, name }) => `<li><a href="#s-${id}" dir="auto">${escaped(name)}</a></li>`).join('\n')}
</ul></nav>`;

/** One form for all votes of a page: the button that is pressed names the question. */
const inVotes = (faq: PublicFaq, place: Place, entries: readonly string[]): string[] => [
  `<form method="post" action="${pathOf(faq, place, '/helpful')}">`,
  ...entries,
  '</form>',
];

const entryOf = ({ id, question, answer }: PublicQuestion): string => `<article aria-labelledby="q-${id}">
<h3 id="q-${id}" dir="auto">${escaped(question)}</h3>
${richText(answer, 4)}
<p class="helpful">Was this helpful? <button name="yes" value="${id}" aria-describedby="q-${id}">Yes</button>
<button name="no" value="${id}" aria-describedby="q-${id}">No</button></p>
</article>`;

const backToAll = (place: Place): string =>
  `<footer><a href="${PUBLIC_FAQS}${queryOf(place)}">All frequently asked questions</a></footer>`;

/** Sanitized rich text whose headings begin at a level, one after another, as those of the page around it go before. */
function richText(html: string, level: number): string {
  if (html === '') return '';
  const used = [...new Set([...html.matchAll(/<h([1-6])[ >]/g)].map(([, heading]) => Number(heading)))].sort();
  const shifted = html.replace(
    /<(\/?)h([1-6])(?=[ >])/g,
    (_, slash, heading) => `<${slash}h${Math.min(6, level + used.indexOf(Number(heading)))}`,
  );
  return `<div class="rich-text" dir="auto">${withScrollingTables(shifted)}</div>`;
}

function page(title: string, body: readonly string[], { feed }: { feed?: string } = {}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${feed ? `<link rel="alternate" type="application/feed+json" href="${feed}">\n` : ''}<style>${PUBLIC_STYLE}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><h1 dir="auto">${escaped(title)}</h1></header>
${body.filter(Boolean).join('\n')}
</body>
</html>
`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
