interface SuggestionsProps {
  /** The field names this id in its `list` attribute. */
  id: string;
  /** The texts that may be typed, with a description of each. */
  options: readonly { value: string; description?: string }[];
}

/** The texts that a field suggests while the user types. */
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
