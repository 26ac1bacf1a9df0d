import { FAQ_LIMITS } from '@apotheca/contract/faq-content';
import { PUBLIC_FAQS } from '@apotheca/contract/faqs';
import type { FailureReply } from '@apotheca/contract/reply';
import { isStorable } from '@apotheca/contract/text';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PublicFaqSettings } from '../../../config.ts';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { acceptedBy } from '../../../plugins/content-coding.ts';
import { namesTag } from '../../../plugins/entity-tag.ts';
import { registerFormBody } from '../../../plugins/form-body.ts';
import { callerAddress } from '../../../plugins/forwarding.ts';
import type { PublicContent, PublicFaq } from './public-content.ts';
import { openPublicPages } from './public-faqs.service.ts';
import {
  failurePage,
  faqPage,
  feedOf,
  indexPage,
  missingPage,
  STYLE_HASH,
  searchPage,
  thanksPage,
} from './public-page.ts';
import { vote } from './votes.service.ts';

interface Address {
  Params: { faq: string };
  Querystring: { q?: string; tenant?: string };
}

/** Bytes of a vote's form. */
const MAX_VOTE = 1024;

const HTML = 'text/html; charset=utf-8';

/** Serves FAQs to readers who are not signed in: pages without script, and feeds (decision 056). */
export function registerPublicFaqs(app: FastifyInstance, context: Context): void {
  const { publicFaq, publicUrl } = context;
  if (!publicFaq) return;
  const pages = openPublicPages(context);
  const headers = headersOf(publicFaq);

  app.register(async (routes) => {
    routes.addHook('onRequest', async (_request, reply) => {
      reply.headers(headers);
      // It would forbid the frames that the policy allows; browsers that know the policy need it not.
      reply.removeHeader('x-frame-options');
    });
    // Readers get a page for a failure, too: of the answer that all failures get, the only one here that is no text yet.
    routes.addHook<FailureReply>('preSerialization', async (_request, reply, failure) => {
      reply.type(HTML).serializer(() => (reply.statusCode === 404 ? missingPage() : failurePage(failure)));
      return failure;
    });

    routes.get<Address>(PUBLIC_FAQS, async (request, reply) => {
      const place = placeOf(request);
      return answer(request, reply, HTML, (coding) =>
        pages.page('index', undefined, place, { coding, make: (faqs: readonly PublicFaq[]) => indexPage(faqs, place) }),
      );
    });
    routes.get<Address>(`${PUBLIC_FAQS}/:faq`, async (request, reply) => {
      const place = placeOf(request);
      const faq = textOf(request.params.faq);
      const text = textOf(request.query.q).slice(0, FAQ_LIMITS.search).trim();
      if (text !== '') {
        const found = searchPage(await pages.content(faq, place), place, text);
        return reply.header('cache-control', 'no-store').type(HTML).send(found);
      }
      return answer(request, reply, HTML, (coding) =>
        pages.page('page', faq, place, { coding, make: (content: PublicContent) => faqPage(content, place) }),
      );
    });
    // The page has no script that would send JSON.
    registerFormBody(routes, MAX_VOTE);
    routes.post<Address & { Body: Record<string, string> | null | undefined }>(
      `${PUBLIC_FAQS}/:faq/helpful`,
      async (request, reply) => {
        const { headers: sent, params, query } = request;
        // JSON is parsed here too, and may be null.
        const body = request.body ?? {};
        if (sent['sec-fetch-site'] === 'cross-site') throw new AppError('cross-site');
        const place = placeOf({ query });
        const faq = await pages.content(textOf(params.faq), place);
        const isHelpful = body.yes !== undefined;
        const questionId = body.yes ?? body.no ?? '';
        await vote(context, faq, { questionId, isHelpful, address: callerAddress(request) });
        return reply
          .header('cache-control', 'no-store')
          .type(HTML)
          .send(thanksPage(faq, place, questionId));
      },
    );
    routes.get<Address>(`${PUBLIC_FAQS}/:faq/feed.json`, async (request, reply) => {
      const place = placeOf(request);
      const origin = publicUrl ?? `${request.protocol}://${request.host}`;
      return answer(request, reply, 'application/feed+json; charset=utf-8', (coding) =>
        pages.page(`feed ${origin}`, textOf(request.params.faq), place, {
          coding,
          make: (content: PublicContent) => feedOf(content, place, origin),
        }),
      );
    });
  });
}

/** No script, nothing from elsewhere, and frames of the sites that the settings name. */
function headersOf({ frames }: PublicFaqSettings): Record<string, string> {
  const policy = {
    'default-src': "'none'",
    'style-src': STYLE_HASH,
    'img-src': "'self'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': frames.length > 0 ? frames.join(' ') : "'none'",
  };
  return {
    'content-security-policy': Object.entries(policy)
      .map(([name, value]) => `${name} ${value}`)
      .join(';'),
  };
}

/** A parameter that was given twice, or cannot be the text of anything stored, counts as not given. */
const textOf = (value: unknown): string => (typeof value === 'string' && isStorable(value) ? value : '');

function placeOf({ query }: { query: Address['Querystring'] }) {
  const tenant = textOf(query.tenant).trim();
  return tenant === '' ? {} : { tenant };
}

type Kept = Awaited<ReturnType<ReturnType<typeof openPublicPages>['page']>>;

/** Answers with a page from memory, or with 304 where the reader has it. It is asked for again each time, so that nothing is seen too long. */
async function answer(
  { headers }: FastifyRequest<Address>,
  reply: FastifyReply,
  type: string,
  find: (coding: ReturnType<typeof acceptedBy>['coding']) => Promise<Kept>,
): Promise<FastifyReply> {
  const { tag, bytes, encoding } = await find(acceptedBy(headers['accept-encoding']).coding);
  reply.header('cache-control', 'public, no-cache').header('vary', 'Accept-Encoding').header('etag', tag);
  if (namesTag(headers['if-none-match'], tag)) return reply.code(304).send();
  if (encoding) reply.header('content-encoding', encoding);
  return reply.type(type).send(bytes);
}
