import type { OwnRights } from '@apotheca/contract/account';
import { isKnownKind, OPERATION_PERMISSIONS } from '@apotheca/contract/operations';
import { PERMISSION_CATALOGUE } from '@apotheca/contract/permission-catalogue';
import type { ContractRoute } from '@apotheca/contract/route';
import type { TFunction } from 'i18next';
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useGetRightsQuery } from '../api/account.ts';
import { notify } from '../components/toast/toast.tsx';

/**
 * Why the signed-in user would be refused one of these calls, as a sentence; undefined where they may make all of them, and while
 * it is not known: the server decides anyway.
 */
export type RefusalOf = (...calls: Pick<ContractRoute, 'permission'>[]) => string | undefined;

const RightsContext = createContext<RefusalOf>(() => undefined);

/** The calls that cancel an operation of a kind, and start it again; none where another version of the server knows them. */
export const operationCalls = (kind: string): Pick<ContractRoute, 'permission'>[] =>
  isKnownKind(kind) ? OPERATION_PERMISSIONS[kind].map((permission) => ({ permission })) : [];

/** Tells before an act what the signed-in user would be refused for. */
export const useRefusal = (): RefusalOf => useContext(RightsContext);

/** Loads the signed-in user's rights once for all screens, and again when roles, permissions or the user have changed. */
export function RightsProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { data } = useGetRightsQuery(undefined, { refetchOnFocus: true });
  useEffect(() => {
    document.addEventListener('click', tellRefusal, true);
    return () => document.removeEventListener('click', tellRefusal, true);
  }, []);
  const refusalOf = useMemo(() => refusals(t, data), [t, data]);
  return <RightsContext value={refusalOf}>{children}</RightsContext>;
}

/** Whoever clicks on what they may not do is told why: a finger sees no tooltip. */
function tellRefusal({ target }: MouseEvent) {
  const refused = target instanceof Element && target.closest<HTMLElement>('[data-refusal]');
  if (refused) notify.warning(refused.dataset.refusal ?? '');
}

function refusals(t: TFunction, rights: OwnRights | undefined): RefusalOf {
  if (!rights) return () => undefined;
  const held = new Set<string>([...rights.permissions, 'signed-in', 'public']);
  return (...calls) => {
    const missing = calls.find(({ permission }) => !held.has(permission));
    if (!missing) return undefined;
    const permission = PERMISSION_CATALOGUE.find(({ identifier }) => identifier === missing.permission)?.name;
    const lacks = t('rights.lacks', { permission });
    return rights.grantedBy.length === 0 ? lacks : `${lacks} ${t('rights.grantedBy', { roles: rights.grantedBy })}`;
  };
}
