import { type Faq, faqRoutes } from '@apotheca/contract/faqs';
import { screen, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { FaqsPage } from '../app/pages/faqs-page.tsx';
import { makeFaq } from './faqs.ts';
import { renderWithStore } from './render.tsx';
import { ok, onRoute } from './server.ts';

export const stock = makeFaq({
  name: 'Stock counts',
  code: 'STOCK',
  overview: '<p>On <em>counting</em>.</p>',
  sectionCount: 2,
});
export const odd = makeFaq({ name: 'A/B 100% "x"', code: 'ODD', isActive: false, published: false });

/** The data of the mocked server. */
export const held: { faqs: Faq[] } = { faqs: [] };

export const listHeld = () => onRoute(faqRoutes.list, () => ok(held.faqs));

export function renderFaqsPage(faqs: Faq[] = [stock, odd], route = '/faqs') {
  held.faqs = faqs;
  return renderWithStore(<FaqsPage />, { route });
}

export const button = (name: string) => screen.getByRole('button', { name });
export const findDialog = (name: string) => screen.findByRole('dialog', { name });
export const dialogClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
