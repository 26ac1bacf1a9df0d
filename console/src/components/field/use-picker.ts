import { useId, useMemo, useState } from 'react';

/** More suggestions than these appear once more is typed. */
const MOST_SUGGESTIONS = 50;

interface PickerOptions<Item> {
  items: readonly Item[];
  /** Whether an item belongs to the suggestions for a text. */
  search: (typed: string) => (item: Item) => boolean;
  /** The item that a text names. */
  find: (items: readonly Item[], typed: string) => Item | undefined;
  suggestionOf: (item: Item) => { value: string; description: string };
  /** Called with the item that the text names, or with nothing while there is none. */
  onPick: (item: Item | undefined) => void;
}

/**
 * State of a text field that finds one of many items.
 * @returns `isUnknown` once the field was left with a text that names no item
 */
export function usePicker<Item>({ items, search, find, suggestionOf, onPick }: PickerOptions<Item>) {
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [isLeft, setLeft] = useState(false);
  const suggestions = useMemo(
    () => items.filter(search(typed)).slice(0, MOST_SUGGESTIONS).map(suggestionOf),
    [items, search, typed, suggestionOf],
  );
  return {
    typed,
    listId,
    suggestions,
    isUnknown: isLeft && typed !== '' && find(items, typed) === undefined,
    handleBlur: () => setLeft(true),
    handleChange({ target }: { target: HTMLInputElement }) {
      setTyped(target.value);
      setLeft(false);
      onPick(find(items, target.value));
    },
  };
}
