import { LINK_ATTRIBUTES, safeHref } from '@apotheca/contract/rich-text';
import { Mark } from '@tiptap/core';

const hrefOf = (element: HTMLElement): string => safeHref(element.getAttribute('href') ?? '');

/** A link that renders and stores a safe address, whatever address content, paste or typing gave it (SPEC §5). */
export const LinkMark = Mark.create({
  name: 'link',
  priority: 1000,
  inclusive: false,
  addAttributes: () => ({
    href: {
      default: 'about:blank',
      parseHTML: hrefOf,
      renderHTML: ({ href }) => ({ href: safeHref(String(href)) }),
    },
  }),
  parseHTML: () => [{ tag: 'a[href]' }],
  renderHTML: ({ HTMLAttributes }) => ['a', { ...HTMLAttributes, ...LINK_ATTRIBUTES }, 0],
});
