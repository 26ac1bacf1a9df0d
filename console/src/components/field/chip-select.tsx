import { ChevronDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type SelectOption, SelectOptions } from './select-options.tsx';

interface ChipSelectProps {
  label: string;
  /** Empty for any. */
  value: string;
  options: readonly SelectOption[];
  onChange: (value: string) => void;
}

/** A filter with few choices, drawn as a chip: 'Status: any'. */
export function ChipSelect({ label, value, options, onChange }: ChipSelectProps) {
  const { t } = useTranslation();
  return (
    <label className={value === '' ? 'chip-select' : 'chip-select chip-select-on'}>
      <span>{label}:</span>
      <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
        <SelectOptions emptyLabel={t('tenants.filter.any')} options={options} />
      </select>
      <ChevronDown className="icon" aria-hidden="true" />
    </label>
  );
}
