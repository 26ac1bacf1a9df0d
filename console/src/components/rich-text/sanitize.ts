import { keptAttribute, LINK_ATTRIBUTES, RICH_TEXT_RULES } from '@apotheca/contract/rich-text';
import DOMPurify from 'dompurify';

// A separate instance, so that its rules affect no other user of DOMPurify.
const purify = DOMPurify(window);

purify.addHook('uponSanitizeAttribute', (node, attribute) => {
  const kept = keptAttribute(node.localName, attribute.attrName, attribute.attrValue);
  attribute.attrValue = kept ?? '';
  attribute.keepAttr = kept !== undefined;
});
purify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName === 'IMG' && !node.hasAttribute('src')) node.remove();
  if (node.tagName !== 'A') return;
  for (const [name, value] of Object.entries(LINK_ATTRIBUTES)) node.setAttribute(name, value);
});

/** Removes from rich text everything that the contract does not allow (DECISIONS §11). */
export const sanitize = (html: string): string => purify.sanitize(html, RICH_TEXT_RULES);
