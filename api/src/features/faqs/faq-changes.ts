import { revisedContent } from '@apotheca/contract/faq-revisions';
import type { Actor } from '../../actor.ts';
import { appendAudit } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import type { Trx } from '../../db/platform.ts';
import { deleteOldRevisions, insertRevision } from './revisions/revisions.repository.ts';

/** Characters of a text that an entry keeps: enough to see what changed, and the trail stays small. */
const MAX_TEXT = 2000;

const KINDS = { faqs: 'faq', faqSections: 'section', faqQuestions: 'question' } as const;

/** What was done with a FAQ, section or question. */
interface FaqChange {
  entity: keyof typeof KINDS;
  verb: 'create' | 'edit' | 'restore' | 'delete' | 'move-up' | 'move-down';
  id: string;
  /** Fields in the contract's names; long texts are cut. */
  changes: Record<string, unknown>;
}

/**
 * Notes a change of FAQ content: as a revision, which has the texts whole, where it left other content, and as an audit entry. It is the
 * last statement of its transaction.
 */
export async function noteFaqChange(context: Context, trx: Trx, actor: Actor, change: FaqChange): Promise<void> {
  const { entity, verb, id, changes } = change;
  await keepRevision(context, trx, actor, change);
  const event = { actor, action: `${entity}.${verb}`, entity, entityId: id, changes: cutTexts(changes) };
  await appendAudit(context, trx, event);
}

async function keepRevision(context: Context, trx: Trx, actor: Actor, { entity, verb, id, changes }: FaqChange) {
  if (verb === 'delete' || verb === 'move-up' || verb === 'move-down') return;
  const fields = Object.keys(changes).filter((field) => field in revisedContent.shape);
  if (fields.length === 0) return;
  const record = { kind: KINDS[entity], id };
  await insertRevision(trx, { ...record, verb, fields, by: actor.name, at: context.now() });
  await deleteOldRevisions(trx, record);
}

function cutTexts(changes: Record<string, unknown>): Record<string, unknown> {
  const cut = (value: unknown) => (Array.isArray(value) ? value.map(cutText) : cutText(value));
  return Object.fromEntries(Object.entries(changes).map(([field, value]) => [field, cut(value)]));
}

function cutText(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= MAX_TEXT) return value;
  return `${value.slice(0, MAX_TEXT).toWellFormed()}… (${value.length} characters)`;
}
