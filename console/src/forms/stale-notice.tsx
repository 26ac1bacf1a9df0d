import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../components/button/button.tsx';
import { Moment } from '../components/display/moment.tsx';
import { Notice } from '../components/notice/notice.tsx';

/** A field that another user changed during this edit, in words. */
export interface StaleField {
  field: string;
  label: string;
  /** Absent where the values are secret, such as a password's. */
  values: { before: string; after: string } | undefined;
  by: string;
  onUtc: string;
  /** The field was changed here too: the typed value stays until the other one is taken. */
  isTypedHere: boolean;
}

interface StaleNoticeProps {
  fields: StaleField[];
  onTakeTheirs: (field: string) => void;
}

/** Says who changed what during this edit, and that nothing typed is lost. */
export function StaleNotice({ fields, onTakeTheirs }: StaleNoticeProps) {
  const { t } = useTranslation();
  const textOf = ({ label, values, by }: StaleField) =>
    values ? t('components.stale.change', { label, by, ...values }) : t('components.stale.hidden', { label, by });
  const place = useRef<HTMLDivElement>(null);
  // Scrolled into view, as the notice is at the top of the form and the user may be at its end.
  useEffect(() => {
    // Not returned: newer browsers answer with a promise, which React would take for a clean-up function.
    void place.current?.scrollIntoView?.({ block: 'nearest' });
  }, []);
  return (
    <div ref={place} className="stale-notice field-wide">
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
