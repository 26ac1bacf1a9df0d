// A program of one tenant: its reorder levels on one page. README.md says how to run it.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Apotheca, ApothecaError } from './apotheca.ts';
import { type Menu, messagePage, type ReorderLevel, reorderLevelsPage } from './page.ts';
import { TenantClosed, TenantDatabase } from './tenant-database.ts';

const PATH = '/reorder-levels';
/** The permission that this program asks for before it changes anything. */
const CHANGE = 'reorderLevels.change';

interface Page {
  status: number;
  html: string;
  location?: string;
}

const apotheca = new Apotheca(setting('APOTHECA_URL'), setting('APOTHECA_API_KEY'));
const database = new TenantDatabase(apotheca, setting('TENANT_CODE'));
const roleName = setting('ROLE_NAME');

const server = createServer((request, response) => {
  void answer(request)
    .catch(pageOfError)
    .then(({ status, html, location }) => {
      response
        .writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...(location && { location }) })
        .end(html);
    });
});
server.listen(Number(process.env.PORT ?? 3100), '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}\n`);
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => server.close(() => void database.close()));
}

async function answer(request: IncomingMessage): Promise<Page> {
  const { pathname } = new URL(request.url ?? '', 'http://localhost');
  if (pathname === '/') return { status: 303, html: '', location: PATH };
  if (pathname !== PATH) return { status: 404, html: messagePage('Not found', 'There is no such page.') };
  if (request.method === 'POST') return change(request);
  const [tenant, permissions, menus, levels] = await Promise.all([
    database.tenant(),
    activePermissions(),
    menusOfRole(),
    reorderLevels(),
  ]);
  const mayChange = tenant.availability === 'open' && permissions.has(CHANGE);
  return { status: 200, html: reorderLevelsPage(tenant, visible(menus, permissions), levels, mayChange) };
}

async function change(request: IncomingMessage): Promise<Page> {
  // Another site's form must not change anything here: https://developer.mozilla.org/docs/Web/HTTP/Headers/Sec-Fetch-Site
  if (request.headers['sec-fetch-site'] === 'cross-site') return refusal('This form came from another site.');
  const form = new URLSearchParams(await text(request));
  const { availability } = await database.tenant();
  if (availability !== 'open') return refusal('The subscription has ended: nothing can be changed.');
  if (!(await activePermissions()).has(CHANGE)) return refusal(`The permission ${CHANGE} is missing.`);
  const minimum = form.get('minimum') ?? '';
  // The column has room for nine digits, and the maximum is one more at least.
  if (!/^\d{1,8}(\.\d{1,3})?$/.test(minimum))
    return refusal('Minimum must be a number from 0 to 99999999, as 12 or 12.5.', 400);
  const changed = await database.query(
    `update inventory_reorder_levels
     set minimum_quantity = $2, maximum_quantity = greatest(maximum_quantity, $2::numeric + 1), updated_at = now()
     where id::text = $1 returning id`,
    [form.get('id'), minimum],
  );
  if (changed.length === 0) return refusal('This reorder level is gone.', 404);
  return { status: 303, html: '', location: PATH };
}

/** What the platform synced into the tenant's database, and the tenant has not switched off. */
async function activePermissions(): Promise<Set<string>> {
  const rows = await database.query<{ identifier: string }>(
    'select identifier from apotheca.permissions where is_active',
  );
  return new Set(rows.map(({ identifier }) => identifier));
}

/** The menus of the role in whose name this program works. */
async function menusOfRole(): Promise<Menu[]> {
  const roles = await apotheca.get<{ id: string; roleName: string }[]>('/api/roles/get');
  const role = roles.find(({ roleName: name }) => name === roleName);
  if (!role) throw new ApothecaError(`There is no role ${roleName}`);
  return apotheca.get<Menu[]>(`/api/rolepermissions/getmenubyroleid?roleId=${role.id}`);
}

/** Menus that the tenant has, too. */
const visible = (menus: Menu[], permissions: Set<string>): Menu[] =>
  menus
    .filter(({ identifier }) => permissions.has(identifier))
    .map((menu) => ({ ...menu, childMenus: visible(menu.childMenus, permissions) }));

const reorderLevels = (): Promise<ReorderLevel[]> =>
  database.query<ReorderLevel>(`
    select r.id::text, l.name as location, p.name as product, p.manufacturer, trim_scale(s.on_hand)::text as "onHand",
      trim_scale(r.minimum_quantity)::text as minimum, s.on_hand < r.minimum_quantity as "isLow"
    from inventory_reorder_levels r
    join locations l on l.id = r.location_id
    join products p on p.id = r.product_id
    cross join lateral (
      select coalesce(sum(i.quantity_on_hand), 0) as on_hand
      from items i
      where i.product_id = r.product_id and i.location_id = r.location_id and i.status = 'available'
    ) s
    where r.is_active
    order by p.name, p.manufacturer, l.name, r.id`);

const refusal = (why: string, status = 403): Page => ({ status, html: messagePage('Not saved', why) });

function pageOfError(error: unknown): Page {
  if (error instanceof TenantClosed) {
    return { status: 403, html: messagePage('Suspended', 'This clinic is suspended. Please ask its administrator.') };
  }
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  return { status: 503, html: messagePage('Not available', 'The data cannot be reached. Please try again.') };
}

function setting(name: string): string {
  const value = process.env[name];
  if (value) return value;
  process.stderr.write(`${name} is missing: see README.md\n`);
  process.exit(1);
}
