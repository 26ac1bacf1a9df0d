import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BULK_CALLS } from '../api/bulks.ts';
import { Button } from '../components/button/button.tsx';
import { useLastingDialog } from '../components/dialog/use-lasting-dialog.ts';
import { useRefusal } from '../rights/rights.tsx';
import { BULK_ACTIONS, type BulkAction, type Many } from './bulk-actions.ts';
import { BulkModal } from './bulk-modal.tsx';

type Open = { kind: 'none' } | { kind: 'action'; action: BulkAction; ids: readonly string[] };

/** What can be done with many records: the actions for the bar of their list, and the dialog of the one that was chosen. */
export function useBulk(what: Many, selected: readonly { id: string }[]) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const [open, setOpen] = useState<Open>({ kind: 'none' });
  const { key, dialog, show } = useLastingDialog(open);
  const offered = BULK_ACTIONS[what].filter(({ isElsewhere }) => !isElsewhere);
  const actions = offered.map((action) => (
    <Button
      key={action.name}
      variant="secondary"
      size="small"
      icon={action.icon}
      refusal={refusal(BULK_CALLS[action.calls].route)}
      onClick={() => setOpen({ kind: 'action', action, ids: selected.map(({ id }) => id) })}
    >
      {t(`bulks.actions.${action.name}`)}
    </Button>
  ));
  const modal = dialog.kind === 'action' && (
    <BulkModal
      key={key}
      show={show}
      what={what}
      action={dialog.action}
      ids={dialog.ids}
      onClose={() => setOpen({ kind: 'none' })}
    />
  );
  return { actions, modal };
}
