import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useGetMenuTreeQuery } from '../../api/menus.ts';
import { useOpenDialog } from '../../components/form/drafts.ts';
import type { MenuDialog } from '../../features/menus/menu-dialog.ts';
import { MenuDialogs } from '../../features/menus/menu-dialogs.tsx';
import { MenusCard } from '../../features/menus/menus-card.tsx';
import { KEPT_FRESH } from '../../lists/list-freshness.ts';
import { unlessForbidden } from '../../transport/api-error.ts';
import { PageHeader } from './page-header.tsx';

/** Menu Management: the tree of menus, loaded with the page and each time a dialog opens or closes (SPEC §2.15). */
export function MenusPage() {
  const { t } = useTranslation();
  const [dialog, setDialog] = useOpenDialog<MenuDialog>({ kind: 'none' });
  const { data, isFetching, error, refetch } = useGetMenuTreeQuery(undefined, {
    refetchOnMountOrArgChange: true,
    ...KEPT_FRESH,
  });

  const changeDialog = useCallback(
    (next: MenuDialog) => {
      setDialog(next);
      void refetch();
    },
    [refetch, setDialog],
  );
  return (
    <>
      <PageHeader title={t('menus.title')} />
      <MenusCard
        menus={unlessForbidden(data, error)}
        isFetching={isFetching}
        error={error}
        onRetry={refetch}
        onOpen={changeDialog}
      />
      <MenuDialogs dialog={dialog} onClose={() => changeDialog({ kind: 'none' })} />
    </>
  );
}
