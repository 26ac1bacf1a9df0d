/** Whether a text is one of a list of texts, whatever their type. */
export const isOneOf = (texts: readonly string[], text: string): boolean => texts.includes(text);
