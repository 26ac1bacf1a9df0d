import type { View, ViewList } from '@apotheca/contract/views';
import { Bookmark, BookmarkPlus, Check, Pencil } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useListViewsQuery } from '../api/views.ts';
import { useLastingDialog } from '../components/dialog/use-lasting-dialog.ts';
import { MenuButton } from '../components/popup/menu-button.tsx';
import { ViewModal } from './view-modal.tsx';
import { viewsOf } from './views-of.ts';

type Open = { kind: 'none' } | { kind: 'save' } | { kind: 'edit'; view: View };

/** The views of a list: shows one, saves what the list shows now, and changes the shown one. */
export function ViewMenu({ list }: { list: ViewList }) {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const { data: saved = [] } = useListViewsQuery({ list });
  const [open, setOpen] = useState<Open>({ kind: 'none' });
  const { key, dialog, show } = useLastingDialog(open);
  const now = ordered(params.toString());
  const own = saved.find(({ query, isOwn }) => isOwn && ordered(query) === now);
  const views = viewsOf(t, list, saved);
  const items = [
    ...views.map(({ name, query }) => ({
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
    ...(own
      ? [
          {
            label: t('views.change', { name: own.name }),
            icon: Pencil,
            onSelect: () => setOpen({ kind: 'edit', view: own }),
          },
        ]
      : []),
  ];
  const onClose = () => setOpen({ kind: 'none' });
  return (
    <>
      <MenuButton icon={Bookmark} label={t('views.menu')} items={items} />
      {dialog.kind !== 'none' && (
        <ViewModal
          key={key}
          show={show}
          list={list}
          query={params.toString()}
          view={dialog.kind === 'edit' ? dialog.view : undefined}
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
