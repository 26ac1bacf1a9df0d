/**
 * Where a spreadsheet would see a formula, whoever typed it: at the begin of a cell, and behind what separates cells elsewhere than here,
 * semicolons or tabs. Quotation marks hold no cell together there, so a line end ends one, too.
 */
// A ' that was typed there is kept apart from one that is put there.
const FORMULA = /(^|[;\t\r\n][ "]*)(?='*[=+\-@])/g;
const HARMLESS = /(^|[;\t\r\n][ "]*)'(?='*[=+\-@])/g;

/** A cell of a file of comma-separated values (RFC 4180), in which a ' makes plain text of what a spreadsheet would run as a formula. */
export function csvCell(text: string): string {
  const harmless = text.replace(FORMULA, "$1'");
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** The text of which {@link csvCell} made what stands in a cell. */
export const textOfCell = (cell: string): string => cell.replace(HARMLESS, '$1');
