/** A text as one camelCase word: 'Order status master' and 'order-status_master' become 'orderStatusMaster' (SPEC §9). */
export function camelCase(text: string): string {
  const words = text.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{N}+|\p{Lo}+/gu) ?? [];
  return words.map((word, index) => (index === 0 ? word.toLowerCase() : capitalise(word))).join('');
}

const capitalise = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
