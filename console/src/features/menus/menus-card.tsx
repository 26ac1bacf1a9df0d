import type { Menu } from '@apotheca/contract/menus';
import { permissionRoutes } from '@apotheca/contract/permissions';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorToast } from '../../api/http/use-error-toast.ts';
import { Button } from '../../components/button/button.tsx';
import { useLostFocus } from '../../components/data-table/use-lost-focus.ts';
import { Card } from '../../components/display/card.tsx';
import { EmptyState } from '../../components/notice/empty-state.tsx';
import { Overlay } from '../../components/waiting/overlay.tsx';
import { useMovePermission } from '../../lists/use-move-permission.ts';
import { LoadFailed } from '../../operations/load-failed.tsx';
import { useRefusal } from '../../rights/rights.tsx';
import type { MenuDialog } from './menu-dialog.ts';
import { MenuTree } from './menu-tree.tsx';

interface MenusCardProps {
  /** Undefined until the first load has ended. */
  menus: readonly Menu[] | undefined;
  isFetching: boolean;
  error: { message?: string } | undefined;
  onRetry: () => void;
  onOpen: (dialog: MenuDialog) => void;
}

/** The card 'Menus' with their tree (SPEC §2.15). */
export function MenusCard({ menus, isFetching, error, onRetry, onOpen }: MenusCardProps) {
  const { t } = useTranslation();
  const move = useMovePermission();
  const refusal = useRefusal();
  const [box, setBox] = useState<HTMLElement | null>(null);
  const trackFocus = useLostFocus(box);
  useErrorToast(error);
  const create = (
    <Button icon={Plus} refusal={refusal(permissionRoutes.create)} onClick={() => onOpen({ kind: 'create' })}>
      {t('menus.create')}
    </Button>
  );
  return (
    <Card title={t('menus.card')} actions={create} flush>
      {error && <LoadFailed error={error} onRetry={onRetry} />}
      <div ref={setBox} className="menus" aria-busy={isFetching} tabIndex={-1} {...trackFocus}>
        {menus === undefined && isFetching && <Overlay label={t('menus.loading')} />}
        {menus?.length === 0 && !error && (
          <EmptyState text={t('menus.empty')} hint={t('menus.emptyHint')} action={create} />
        )}
        {menus !== undefined && menus.length > 0 && <MenuTree menus={menus} onOpen={onOpen} onMove={move} />}
      </div>
    </Card>
  );
}
