import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../button/button.tsx';
import { Notice } from '../notice/notice.tsx';

interface HiddenRowNoticeProps {
  /** Says which row is hidden. */
  text: string;
  onShow: () => void;
  onDismiss: () => void;
}

/** Says that the filter of a list hides the row that was just created or changed. */
export function HiddenRowNotice({ text, onShow, onDismiss }: HiddenRowNoticeProps) {
  const { t } = useTranslation();
  const actions = (
    <span className="data-table-hidden">
      <Button variant="secondary" size="small" onClick={onShow}>
        {t('components.dataTable.show')}
      </Button>
      <IconButton icon={X} label={t('components.dataTable.dismiss')} onClick={onDismiss} />
    </span>
  );
  return (
    <Notice tone="info" role="status" action={actions}>
      {text}
    </Notice>
  );
}
