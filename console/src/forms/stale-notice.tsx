import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../components/button/button.tsx';
import { Moment } from '../components/display/moment.tsx';
import { Notice } from '../components/notice/notice.tsx';

/** A field that somebody else changed while it was edited here, all in words. */
export interface StaleField {
  field: string;
  label: string;
  /** Absent where nobody may see them, as those of a password. */
  values: { before: string; after: string } | undefined;
  by: string;
  onUtc: string;
  /** It was changed here too: what was typed stays until theirs is taken. */
  isTypedHere: boolean;
}

interface StaleNoticeProps {
  fields: StaleField[];
  onTakeTheirs: (field: string) => void;
}

/** Tells who changed what while a record was edited, and that nothing which was typed is lost. */
export function StaleNotice({ fields, onTakeTheirs }: StaleNoticeProps) {
  const { t } = useTranslation();
  const textOf = ({ label, values, by }: StaleField) =>
    values ? t('components.stale.change', { label, by, ...values }) : t('components.stale.hidden', { label, by });
  const place = useRef<HTMLDivElement>(null);
  // It appears at the top of a form whose end may be in sight.
  useEffect(() => {
    // Not returned: newer browsers answer with a promise, which is no clean-up.
    void place.current?.scrollIntoView?.({ block: 'nearest' });
  }, []);
  return (
    <div ref={place} className="stale-notice">
      <Notice tone="warning" role="alert" title={t('components.stale.title')}>
        <p>{t('components.stale.saveAgain')}</p>
        <ul className="stale-fields">
          {fields.map((change) => (
            <li key={change.field}>
              <span>{textOf(change)}</span> <Moment moment={change.onUtc} />
              {change.isTypedHere && (
                <Button variant="secondary" size="small" onClick={() => onTakeTheirs(change.field)}>
                  {t('components.stale.takeTheirs', { label: change.label })}
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}
