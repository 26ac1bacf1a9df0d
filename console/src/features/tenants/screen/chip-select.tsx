import { ChevronDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';

interface ChipSelectProps {
  label: string;
  /** Empty for any. */
  value: string;
  options: { value: string; label: string }[];
  onChange: (value: string) => void;
}

/** A filter with few choices, drawn as a chip: 'Status: any'. */
export function ChipSelect({ label, value, options, onChange }: ChipSelectProps) {
  const { t } = useTranslation();
  return (
    <label className={value === '' ? 'chip-select' : 'chip-select chip-select-on'}>
      <span>{label}:</span>
      <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{t('tenants.filter.any')}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown className="icon" aria-hidden="true" />
    </label>
  );
}
