import { faqImageRoutes } from '@apotheca/contract/faq-images';
import { faqImportRoutes } from '@apotheca/contract/faq-import';
import { faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import { faqRevisionRoutes } from '@apotheca/contract/faq-revisions';
import { faqSectionRoutes } from '@apotheca/contract/faq-sections';
import { faqRoutes } from '@apotheca/contract/faqs';
import { PICTURES } from '@apotheca/contract/rich-text';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { importHandlers } from '../../imports/import-handlers.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';
import { describePlan } from './faq-deletion.ts';
import { faqImport } from './faq-import.ts';
import { moveQuestion, moveSection } from './faq-moves.service.ts';
import { faqTree } from './faq-tree.service.ts';
import { createFaq, deleteFaq, editFaq, listFaqs, planFaqDeletion, searchFaqs } from './faqs.service.ts';
import { getPicture, storePicture } from './images/images.service.ts';
import { importFaqsOperation } from './import-faqs.operation.ts';
import { createQuestion, deleteQuestion, editQuestion, listQuestions } from './questions.service.ts';
import { compareRevision, listRevisions, restoreRevision } from './revisions/revisions.service.ts';
import {
  createSection,
  deleteSection,
  editSection,
  getNamedSection,
  listSections,
  planSectionDeletion,
} from './sections.service.ts';

/** In seconds. */
const YEAR = 365 * 24 * 3600;

/** What messages call each kind. */
const NAMES = { faq: 'FAQ', section: 'Section', question: 'Q&A' };

type Plan = Parameters<typeof describePlan>[0];

const created = (what: string) => `Success! ${what} has been Created.`;
const updated = (what: string) => `Success! ${what} has been updated.`;
const wouldDelete = (what: string, plan: Plan) =>
  `Deleting ${what} also deletes ${describePlan(plan) || 'nothing else'}.`;
const deleted = (what: string, plan: Plan) => {
  const along = describePlan(plan);
  return `${what} deleted${along && ` with ${along}`}.`;
};
const moved = (what: string, moveUp: boolean, hasMoved: boolean) =>
  hasMoved
    ? `${what} has been moved ${moveUp ? 'up' : 'down'}.`
    : `${what} is the ${moveUp ? 'first' : 'last'} one already.`;

export function registerFaqs(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, faqRoutes, {
    list: listFaqs,
    create: async ({ body, actor }) => ({ result: await createFaq(context, actor, body), message: created('FAQ') }),
    edit: async ({ body, actor }) => ({ result: await editFaq(context, actor, body), message: updated('FAQ') }),
    planDeletion: async ({ query }) => {
      const { name, plan } = await planFaqDeletion(context, query.id);
      return { result: plan, message: wouldDelete(`FAQ '${name}'`, plan) };
    },
    delete: async ({ query, actor }) => {
      const result = await deleteFaq(context, actor, query.id, query.plan);
      return { result, message: deleted('FAQ', result.plan) };
    },
    tree: faqTree(context),
    search: searchFaqs,
  });
  serveRoutes(app, context, faqImageRoutes, {
    upload: async ({ actor, upload, recheck }) => ({
      result: await storePicture(context, actor, { content: upload, recheck }),
    }),
  });
  servePictures(app, context);
  serveRoutes(app, context, faqSectionRoutes, {
    list: listSections(context),
    find: async ({ query }) => ({ result: await getNamedSection(context, query.id) }),
    create: async ({ body, actor }) => ({
      result: await createSection(context, actor, body),
      message: created('Section'),
    }),
    edit: async ({ body, actor }) => ({ result: await editSection(context, actor, body), message: updated('Section') }),
    planDeletion: async ({ query }) => {
      const { name, plan } = await planSectionDeletion(context, query.id);
      return { result: plan, message: wouldDelete(`section '${name}'`, plan) };
    },
    delete: async ({ query, actor }) => {
      const result = await deleteSection(context, actor, query.id, query.plan);
      return { result, message: deleted('Section', result.plan) };
    },
    move: async ({ query, actor }) => {
      const result = await moveSection(context, actor, query);
      return { result, message: moved('Section', query.moveUp, result.hasMoved) };
    },
  });
  serveRoutes(app, context, faqQuestionRoutes, {
    list: listQuestions(context),
    create: async ({ body, actor }) => ({
      result: await createQuestion(context, actor, body),
      message: created('Q&A'),
    }),
    edit: async ({ body, actor }) => ({ result: await editQuestion(context, actor, body), message: updated('Q&A') }),
    delete: async ({ query, actor }) => ({
      result: await deleteQuestion(context, actor, query.id),
      message: 'Q&A deleted.',
    }),
    move: async ({ query, actor }) => {
      const result = await moveQuestion(context, actor, query);
      return { result, message: moved('Q&A', query.moveUp, result.hasMoved) };
    },
  });
  serveRoutes(app, context, faqRevisionRoutes, {
    list: listRevisions(context),
    compare: async ({ query }) => ({ result: await compareRevision(context, query) }),
    restore: async ({ body, actor }) => ({
      result: await restoreRevision(context, actor, body),
      message: `Success! ${NAMES[body.kind]} has been restored.`,
    }),
  });
  serveRoutes(app, context, faqImportRoutes, importHandlers(context, faqImport, importFaqsOperation));
}

/**
 * Serves pictures to everybody who has their address, which nobody guesses: an `img` of the console sends no token. Other sites cannot show
 * them, as the policy is `same-origin` for all answers. An address stands for its bytes, so browsers keep them for good; proxies do not, so
 * that a deleted one is gone.
 */
function servePictures(app: FastifyInstance, context: Context): void {
  app.get<{ Params: { hash: string } }>(`${PICTURES}:hash`, async ({ params: { hash } }, reply) => {
    const bytes = await getPicture(context, hash);
    return reply
      .header('cache-control', `private, max-age=${YEAR}, immutable`)
      .header('content-security-policy', "default-src 'none'; sandbox")
      .type('image/webp')
      .send(bytes);
  });
}
