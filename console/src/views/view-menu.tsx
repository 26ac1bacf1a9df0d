import { roleRoutes } from '@apotheca/contract/roles';
import type { View, ViewList } from '@apotheca/contract/views';
import { Bookmark, BookmarkPlus, Check, Pencil, RotateCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { showError } from '../api/http/answer-errors.ts';
import { useListViewsQuery } from '../api/views.ts';
import { useLastingDialog } from '../components/dialog/use-lasting-dialog.ts';
import { MenuButton } from '../components/popup/menu-button.tsx';
import { KEPT_FRESH } from '../lists/list-freshness.ts';
import { useRefusal } from '../rights/rights.tsx';
import { DeleteViewDialog } from './delete-view-dialog.tsx';
import { ViewModal } from './view-modal.tsx';
import { viewsOf } from './views-of.ts';

type Open = { kind: 'none' } | { kind: 'save' } | { kind: 'edit' | 'delete'; view: View };

/** The views of a list: shows one, saves what the list shows now, and changes or removes the shown one. */
export function ViewMenu({ list }: { list: ViewList }) {
  const { t } = useTranslation();
  const refusalOf = useRefusal();
  const [params, setParams] = useSearchParams();
  const { data: saved = [], error, isFetching, refetch } = useListViewsQuery({ list }, KEPT_FRESH);
  const [open, setOpen] = useState<Open>({ kind: 'none' });
  const { key, dialog, show } = useLastingDialog(open);
  const now = ordered(params.toString());
  // More than one, where two have the same filters.
  const shown = saved.filter(({ query }) => ordered(query) === now);
  const own = shown.filter(({ isOwn }) => isOwn);
  // Whoever may share a view takes away one that somebody else has shared, too.
  const removable = refusalOf(roleRoutes.editPermissions) === undefined ? shown.filter(({ isOwn }) => !isOwn) : [];
  const views = viewsOf(t, list, saved);
  const items = [
    ...(error ? [{ label: t('views.failed'), icon: RotateCw, onSelect: () => void reload() }] : []),
    // Two people may give their views the same name.
    ...views.map(({ id, name, query }) => ({
      id,
      label: name,
      icon: ordered(query) === now ? Check : Bookmark,
      onSelect: () => setParams(new URLSearchParams(query)),
    })),
    {
      label: t('views.save'),
      icon: BookmarkPlus,
      disabled: now === '',
      onSelect: () => setOpen({ kind: 'save' }),
    },
    ...own.map((view) => ({
      label: t('views.change', { name: view.name }),
      icon: Pencil,
      onSelect: () => setOpen({ kind: 'edit', view }),
    })),
    ...removable.map((view) => ({
      id: `remove ${view.id}`,
      danger: true,
      label: t('views.remove', { name: view.name }),
      icon: Trash2,
      onSelect: () => setOpen({ kind: 'delete', view }),
    })),
  ];
  const onClose = () => setOpen({ kind: 'none' });
  async function reload() {
    const { error: again } = await refetch();
    if (again) showError(again);
  }
  return (
    <>
      <MenuButton icon={Bookmark} label={t('views.menu')} items={items} loading={isFetching && error !== undefined} />
      {dialog.kind === 'delete' && <DeleteViewDialog key={key} {...{ show, onClose }} view={dialog.view} />}
      {(dialog.kind === 'save' || dialog.kind === 'edit') && (
        <ViewModal
          key={key}
          show={show}
          list={list}
          query={params.toString()}
          view={dialog.kind === 'edit' ? dialog.view : undefined}
          onDelete={(view) => setOpen({ kind: 'delete', view })}
          onClose={onClose}
        />
      )}
    </>
  );
}

/** Address parameters in one order, whichever they came in. */
function ordered(query: string): string {
  const params = new URLSearchParams(query);
  params.sort();
  return params.toString();
}
