import type { View, ViewList } from '@apotheca/contract/views';
import type { TFunction } from 'i18next';

/** The views that come with the product: each is filters that the list has. */
const OF_THE_PRODUCT = {
  tenants: [{ name: 'expiring', query: 'expires=30' }],
  databases: [
    { name: 'unproved', query: 'proof=none' },
    { name: 'outdated', query: 'schema=old' },
  ],
  users: [],
} as const satisfies Record<ViewList, readonly { name: string; query: string }[]>;

/** All views of a list by name: those of the product first, then the saved ones. Two of them may show the same. */
export const viewsOf = (
  t: TFunction,
  list: ViewList,
  saved: readonly View[],
): Pick<View, 'id' | 'name' | 'query'>[] => [
  ...OF_THE_PRODUCT[list].map(({ name, query }) => ({ id: name, name: t(`views.product.${name}`), query })),
  ...saved,
];
