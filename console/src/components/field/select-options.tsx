export interface SelectOption {
  value: string;
  label: string;
}

/** The options of a native select, the empty one first. */
export function SelectOptions({ emptyLabel, options }: { emptyLabel: string; options: readonly SelectOption[] }) {
  return (
    <>
      <option value="">{emptyLabel}</option>
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </>
  );
}
