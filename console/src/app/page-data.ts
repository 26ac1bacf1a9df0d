import { DATABASE_SORT_COLUMNS } from '@apotheca/contract/databases';
import { PERMISSION_SORT_COLUMNS } from '@apotheca/contract/permissions';
import { TENANT_SORT_COLUMNS } from '@apotheca/contract/tenants';
import { USER_SORT_COLUMNS } from '@apotheca/contract/users';
import { matchPath } from 'react-router';
import { listDatabases } from '../api/databases.ts';
import { findFaqSection, listFaqs } from '../api/faqs.ts';
import { listFindings } from '../api/findings.ts';
import { getMenuTree } from '../api/menus.ts';
import { listPermissions } from '../api/permissions.ts';
import { listRoles } from '../api/roles.ts';
import { listTenants } from '../api/tenants.ts';
import { listUsers } from '../api/users.ts';
import { sortInAddress } from '../components/data-table/sort-in-address.ts';
import { isDecodable } from './navigation/decodable.ts';
import { PATHS, VIEW } from './navigation/paths.ts';
import type { AppStore } from './state/store.ts';

/** Loads without a subscription: the page subscribes once it is drawn. Until then the answer is kept like any other without a reader. */
const UNUSED = { subscribe: false } as const;

/** The parameters and the search of a page's address. */
interface Place {
  params: Readonly<Record<string, string | undefined>>;
  search: URLSearchParams;
}

function sorted<const Column extends string>({ search }: Place, columns: readonly [Column, ...Column[]]) {
  const { column, direction } = sortInAddress(search, columns);
  return { sortColumn: column, sortDirection: direction };
}

type Dispatch = AppStore['dispatch'];

function loadTenants(dispatch: Dispatch, place: Place): void {
  void dispatch(listTenants.initiate(sorted(place, TENANT_SORT_COLUMNS), UNUSED));
}

function loadDatabases(dispatch: Dispatch, place: Place): void {
  void dispatch(listDatabases.initiate(sorted(place, DATABASE_SORT_COLUMNS), UNUSED));
}

/** What each page reads at first. The page asks with the same arguments, so that its call is this one. */
const LOADS: Readonly<Record<string, (dispatch: Dispatch, place: Place) => void>> = {
  // The slowest of what it reads; the rest comes while it is drawn.
  [PATHS.dashboard](dispatch) {
    void dispatch(listFindings.initiate(undefined, UNUSED));
  },
  [PATHS.tenants]: loadTenants,
  [PATHS.licences]: loadTenants,
  [PATHS.tenant](dispatch, place) {
    loadTenants(dispatch, place);
    loadDatabases(dispatch, place);
  },
  [PATHS.users](dispatch, place) {
    void dispatch(listUsers.initiate(sorted(place, USER_SORT_COLUMNS), UNUSED));
  },
  [PATHS.databases]: loadDatabases,
  [PATHS.permissions](dispatch, place) {
    if (place.search.get(VIEW.param) === VIEW.roles) {
      void dispatch(listRoles.initiate(undefined, UNUSED));
      return;
    }
    void dispatch(listPermissions.initiate(sorted(place, PERMISSION_SORT_COLUMNS), UNUSED));
  },
  [PATHS.menus](dispatch) {
    void dispatch(getMenuTree.initiate(undefined, UNUSED));
  },
  [PATHS.faqs](dispatch) {
    void dispatch(listFaqs.initiate(undefined, UNUSED));
  },
  // What is in an FAQ or a section is asked for once it is known to exist.
  [PATHS.faq](dispatch) {
    void dispatch(listFaqs.initiate(undefined, UNUSED));
  },
  [PATHS.section](dispatch, { params: { sectionId = '' } }) {
    void dispatch(findFaqSection.initiate({ id: sectionId }, UNUSED));
  },
};

/** Asks for what the page at an address reads, while its code is still loaded. */
export function loadPageData(dispatch: Dispatch, address: { pathname: string; search: string }): void {
  // It leads to the page for unknown addresses.
  if (!isDecodable(address.pathname)) return;
  for (const [path, load] of Object.entries(LOADS)) {
    const match = matchPath(path, address.pathname);
    if (match) load(dispatch, { params: match.params, search: new URLSearchParams(address.search) });
  }
}
