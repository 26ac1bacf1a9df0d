import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SelectField, type SelectFieldProps } from '../../../components/field/select-field.tsx';
import { TextField } from '../../../components/field/text-field.tsx';
import { useShownValues } from '../../../components/form/form-view.tsx';
import { type Timezone, timezoneSearch } from './timezone-names.ts';

interface TimezoneFieldProps extends Omit<SelectFieldProps, 'options' | 'value'> {
  zones: readonly Timezone[];
  /** The id of the chosen zone. Given, as the browser forgets a choice for which there is no option yet. */
  value: string;
  onChoose: (id: string) => void;
}

/** A select of a few hundred time zones, with a field beside it that narrows them. */
export function TimezoneField({ zones, onChoose, ...select }: TimezoneFieldProps) {
  const { t } = useTranslation();
  const hintId = useId();
  const [typed, setTyped] = useState('');
  const { value } = select;
  const isFound = timezoneSearch(typed);
  const found = zones.filter(isFound);
  const options = zones.filter((zone) => zone.id === value || isFound(zone)).map(optionOf);
  const isText = useShownValues() !== undefined;
  if (isText) return <SelectField {...select} options={options} />;

  function handleKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    // Enter here must not submit the form.
    event.preventDefault();
    const [first] = found;
    if (first && found.length === 1) onChoose(first.id);
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame of its own into the form.
    <div
      role="group"
      aria-label={t('tenants.zones.group')}
      aria-describedby={hintId}
      className="timezone-field field-wide"
    >
      <TextField
        label={t('tenants.zones.find')}
        type="search"
        autoComplete="off"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={handleKeyDown}
      />
      <SelectField {...select} options={options} />
      <p className="form-text" role="status" id={hintId}>
        {hint()}
      </p>
    </div>
  );

  function hint(): string {
    const [first] = found;
    if (typed.trim() === '') return t('tenants.zones.hint');
    if (!first) return t('tenants.zones.noMatch');
    if (found.length > 1) return t('tenants.zones.found', { count: found.length });
    return t(first.id === value ? 'tenants.zones.chosen' : 'tenants.zones.enterChooses', { zone: first.displayName });
  }
}

const optionOf = ({ id, displayName }: Timezone) => ({ value: id, label: displayName });
