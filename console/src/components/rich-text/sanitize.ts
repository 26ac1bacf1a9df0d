import { directionOf, LINK_ATTRIBUTES, RICH_TEXT_RULES, safeHref } from '@apotheca/contract/rich-text';
import DOMPurify from 'dompurify';

// A separate instance, so that its rules affect no other user of DOMPurify.
const purify = DOMPurify(window);

purify.addHook('uponSanitizeAttribute', (node, attribute) => {
  if (attribute.attrName === 'href') attribute.attrValue = safeHref(attribute.attrValue);
  if (attribute.attrName !== 'dir') return;
  const direction = directionOf(node.localName, attribute.attrValue);
  attribute.attrValue = direction ?? '';
  attribute.keepAttr = direction !== undefined;
});
purify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName !== 'A') return;
  for (const [name, value] of Object.entries(LINK_ATTRIBUTES)) node.setAttribute(name, value);
});

/** Removes from rich text everything that the contract does not allow (DECISIONS §11). */
export const sanitize = (html: string): string => purify.sanitize(html, RICH_TEXT_RULES);
