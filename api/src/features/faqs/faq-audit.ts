import type { Actor } from '../../actor.ts';
import { appendAudit } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import type { Trx } from '../../db/platform.ts';

/** Characters of a text that an entry keeps: enough to see what changed, and the trail stays small. */
const MAX_TEXT = 2000;

/** What was done with a FAQ, section or question. */
interface FaqChange {
  entity: 'faqs' | 'faqSections' | 'faqQuestions';
  verb: 'create' | 'edit' | 'delete' | 'move-up' | 'move-down';
  id: string;
  /** Fields in the contract's names; long texts are cut. */
  changes: Record<string, unknown>;
}

/** Appends the audit entry of a change of FAQ content. It is the last statement of its transaction. */
export function auditFaqChange(
  context: Context,
  trx: Trx,
  actor: Actor,
  { entity, verb, id, changes }: FaqChange,
): Promise<void> {
  const event = { actor, action: `${entity}.${verb}`, entity, entityId: id, changes: cutTexts(changes) };
  return appendAudit(context, trx, event);
}

function cutTexts(changes: Record<string, unknown>): Record<string, unknown> {
  const cut = (value: unknown) => (Array.isArray(value) ? value.map(cutText) : cutText(value));
  return Object.fromEntries(Object.entries(changes).map(([field, value]) => [field, cut(value)]));
}

function cutText(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= MAX_TEXT) return value;
  return `${value.slice(0, MAX_TEXT).toWellFormed()}… (${value.length} characters)`;
}
