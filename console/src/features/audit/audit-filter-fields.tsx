import { OUTCOMES } from '@apotheca/contract/audit';
import { type ReactNode, useCallback, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button/button.tsx';
import { useDelayedText } from '../../components/data-table/use-delayed-text.ts';
import { FieldMessages, useField } from '../../components/field/field.tsx';
import { Select } from '../../components/field/select.tsx';
import { classNames } from '../../lib/class-names.ts';
import { type AuditFilterState, TEXT_FILTERS } from './use-audit-filters.ts';

/** The filters besides the text: person, action, record, address, result, time. On a phone they are closed until they are asked for. */
export function AuditFilterFields({ filters }: { filters: AuditFilterState }) {
  const { t } = useTranslation();
  const { params, change, count } = filters;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="secondary"
        size="small"
        className="audit-filters-toggle"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {t('audit.filters.toggle', { count })}
      </Button>
      <fieldset id={id} className={classNames('audit-filters', isOpen && 'is-open')}>
        <legend className="visually-hidden">{t('audit.filters.legend')}</legend>
        {TEXT_FILTERS.map((name) => (
          <TextFilter key={name} name={name} filters={filters} />
        ))}
        <Labelled label={t('audit.columns.result')}>
          {(id) => (
            <Select
              id={id}
              value={params.get('outcome') ?? ''}
              emptyLabel={t('audit.filters.anyResult')}
              options={OUTCOMES.map((outcome) => ({ value: outcome, label: t(`audit.outcomes.${outcome}`) }))}
              onChange={(event) => change({ outcome: event.target.value })}
            />
          )}
        </Labelled>
        {(['from', 'to'] as const).map((name) => (
          <MomentFilter key={name} name={name} filters={filters} />
        ))}
      </fieldset>
    </>
  );
}

interface TextFilterProps {
  name: (typeof TEXT_FILTERS)[number];
  filters: AuditFilterState;
}

function TextFilter({ name, filters: { params, change } }: TextFilterProps) {
  const { t } = useTranslation();
  const changeAddress = useCallback((text: string) => change({ [name]: text }), [change, name]);
  const [text, setText] = useDelayedText(params.get(name) ?? '', changeAddress);
  return (
    <Labelled label={t(`audit.filters.${name}`)}>
      {(id) => (
        <input
          id={id}
          className="form-control"
          autoComplete="off"
          spellCheck={false}
          maxLength={name === 'entityId' || name === 'actor' ? 256 : 100}
          placeholder={t(`audit.placeholders.${name}`)}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
    </Labelled>
  );
}

function MomentFilter({
  name,
  filters: { params, change, isIgnored },
}: {
  name: 'from' | 'to';
  filters: AuditFilterState;
}) {
  const { t } = useTranslation();
  const error = isIgnored(name) ? t('audit.filters.notAMoment') : undefined;
  const { control, errorId } = useField({ label: t(`audit.filters.${name}`), error });
  return (
    <div>
      <label className="form-label" htmlFor={control.id}>
        {t(`audit.filters.${name}`)}
      </label>
      <input
        {...control}
        type="datetime-local"
        className={classNames('form-control', error !== undefined && 'is-invalid')}
        // A year of four digits: browsers offer six.
        max="9999-12-31T23:59"
        value={params.get(name) ?? ''}
        onChange={(event) => change({ [name]: event.target.value })}
      />
      <FieldMessages error={error} errorId={errorId} />
    </div>
  );
}

function Labelled({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div>
      <label className="form-label" htmlFor={id}>
        {label}
      </label>
      {children(id)}
    </div>
  );
}
