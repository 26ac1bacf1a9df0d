interface SuggestionsProps {
  /** What the field names in its `list` attribute. */
  id: string;
  /** What may be typed, with what describes it. */
  options: readonly { value: string; description?: string }[];
}

/** What a text field suggests while somebody types. */
export function Suggestions({ id, options }: SuggestionsProps) {
  return (
    <datalist id={id}>
      {options.map(({ value, description }) => (
        <option key={value} value={value}>
          {description}
        </option>
      ))}
    </datalist>
  );
}
