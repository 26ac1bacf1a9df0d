import type { Tenant } from './tenant-database.ts';

/** A menu as `getmenubyroleid` answers it. */
export interface Menu {
  name: string;
  identifier: string;
  route: string | null;
  childMenus: Menu[];
}

/** How much of a product a location has, and how far it lets that fall. Quantities are PostgreSQL's `numeric`, as text. */
export interface ReorderLevel {
  id: string;
  location: string;
  product: string;
  manufacturer: string;
  onHand: string;
  minimum: string;
  isLow: boolean;
}

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 0 auto; padding: 1rem; }
  nav ul { display: flex; flex-wrap: wrap; gap: 0 1.5rem; padding: 0; list-style: none; }
  .table { overflow-x: auto; }
  table { width: 100%; border-collapse: collapse; }
  th, td { padding: 0.25rem 0.5rem; border-bottom: 1px solid #8886; text-align: left; }
  small { display: block; opacity: 0.75; }
  .number { text-align: right; font-variant-numeric: tabular-nums; }
  form { display: inline-flex; flex-wrap: wrap; justify-content: end; gap: 0.25rem; }
  input { width: 5rem; font: inherit; text-align: right; }
  button { font: inherit; }
  .low { font-weight: 700; }
  .notice { padding: 0.5rem 1rem; border-left: 4px solid #c60; background: #c601; }`;

/** The page of reorder levels. @param mayChange whether each minimum is a field */
export function reorderLevelsPage(tenant: Tenant, menus: Menu[], levels: ReorderLevel[], mayChange: boolean): string {
  return page(
    tenant.code,
    `<nav aria-label="Menu">${menuList(menus)}</nav>
    <h1>Reorder levels</h1>
    ${tenant.availability === 'read-only' ? notice('The subscription has ended: nothing can be changed.') : ''}
    <div class="table"><table>
      <thead><tr><th>Product</th><th class="number">On hand</th><th>State</th><th class="number">Minimum</th></tr></thead>
      <tbody>${levels.map((level) => row(level, mayChange)).join('')}</tbody>
    </table></div>
    ${levels.length === 0 ? '<p>There are no reorder levels yet.</p>' : ''}`,
  );
}

/** A page that says why there is no other. */
export const messagePage = (title: string, text: string): string =>
  page(title, `<h1>${escapeHtml(title)}</h1>${notice(text)}`);

function row(
  { id, location, product, manufacturer, onHand, minimum, isLow }: ReorderLevel,
  mayChange: boolean,
): string {
  const label = escapeHtml(`Minimum of ${product} (${manufacturer}) in ${location}`);
  const field = `<form method="post"><input type="hidden" name="id" value="${escapeHtml(id)}"
    ><input name="minimum" inputmode="decimal" required aria-label="${label}" value="${escapeHtml(minimum)}"
    ><button>Save</button></form>`;
  return `<tr><td>${escapeHtml(product)}<small>${escapeHtml(`${manufacturer}, ${location}`)}</small></td><td class="number">${escapeHtml(onHand)}</td>
    <td>${isLow ? '<span class="low">Order</span>' : 'Enough'}</td>
    <td class="number">${mayChange ? field : escapeHtml(minimum)}</td></tr>`;
}

const menuList = (menus: Menu[]): string =>
  menus.length === 0
    ? ''
    : `<ul>${menus.map((menu) => `<li>${menuEntry(menu)}${menuList(menu.childMenus)}</li>`).join('')}</ul>`;

/** A menu without a page of its own has the route '#'. */
const menuEntry = ({ name, route }: Menu): string =>
  route === null || route === '#' ? escapeHtml(name) : `<a href="${escapeHtml(route)}">${escapeHtml(name)}</a>`;

const notice = (text: string): string => `<p class="notice" role="status">${escapeHtml(text)}</p>`;

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>${body}</body></html>`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
