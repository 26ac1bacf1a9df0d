import type { FaqKind, FaqRevision } from '@apotheca/contract/faq-revisions';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../../components/display/badge.tsx';
import { Moment } from '../../../components/display/moment.tsx';
import { FIELD_LABELS } from '../form/field-labels.ts';

interface RevisionListProps {
  kind: FaqKind;
  /** Newest first. */
  revisions: readonly FaqRevision[];
  chosen: number;
  onChoose: (revision: number) => void;
}

/** The revisions of a record, one of which is chosen: one stop of the keyboard, however many there are. */
export function RevisionList({ kind, revisions, chosen, onChoose }: RevisionListProps) {
  const { t } = useTranslation();
  const group = useId();
  return (
    <fieldset className="faq-revision-list">
      <legend className="visually-hidden">{t('faqs.revisions.label')}</legend>
      {revisions.map((entry, index) => (
        <label key={entry.revision}>
          <input
            type="radio"
            name={group}
            checked={entry.revision === chosen}
            onChange={() => onChoose(entry.revision)}
          />
          <span>
            <span className="faq-revision-head">
              <Moment moment={entry.onUtc} /> <strong>{entry.by}</strong>{' '}
              {index === 0 && <Badge tone="info">{t('faqs.revisions.now')}</Badge>}
            </span>
            <Write kind={kind} {...entry} />
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** What a write did: 'Changed: Answer, Is Published'. */
function Write({ kind, verb, fields }: Pick<FaqRevision, 'verb' | 'fields'> & { kind: FaqKind }) {
  const { t } = useTranslation();
  const labels: Partial<Record<string, Parameters<typeof labelOf>[0]>> = FIELD_LABELS[kind];
  const labelOf = (label: LabelName) => t(`faqs.fields.${label}`);
  const changed = verb === 'create' ? [] : fields.map((field) => labels[field]).filter((label) => label !== undefined);
  return <span>{[t(`faqs.revisions.verbs.${verb}`), changed.map(labelOf).join(', ')].filter(Boolean).join(': ')}</span>;
}

type LabelName = keyof typeof import('../../../locales/en-pages.json')['faqs']['fields'];
