import type { Readable } from 'node:stream';
import { textOfCell } from '@apotheca/contract/csv';
import { IMPORT_LIMITS, type ImportColumn } from '@apotheca/contract/imports';
import { isStorable, NOT_STORABLE } from '@apotheca/contract/text';
import { CsvError, parse } from 'csv-parse/sync';
import type { SentRow } from '../batches/batch-subject.ts';
import { AppError, fieldError } from '../errors.ts';

/** @throws AppError too-large */
export async function readAll(file: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of file) {
    bytes += part.length;
    if (bytes > IMPORT_LIMITS.bytes) throw new AppError('too-large', { message: 'The file is larger than 4 MiB.' });
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/**
 * The rows of a CSV file in UTF-8, with commas, semicolons or tabs between its cells.
 * @throws AppError invalid, saying what is wrong on which line
 */
export function readCsv(file: Buffer, columns: readonly ImportColumn[]): SentRow[] {
  const text = decode(file);
  const [headings, ...records] = withoutEmptyColumns(parseRecords(text));
  if (!headings) throw refused('The file is empty: its first row has to be the headings.');
  const fields = fieldsOf(headings.cells, columns);
  if (records.length === 0) throw refused('The file has no row below its headings.');
  if (records.length > IMPORT_LIMITS.rows) {
    const most = IMPORT_LIMITS.rows.toLocaleString('en-US');
    throw refused(`The file has more than ${most} rows below its headings. Please divide it.`);
  }
  return records.map(({ line, cells }) => ({
    line,
    cells: Object.fromEntries(fields.map((field, place) => [field, cells[place] ?? '']).filter(([, cell]) => cell)),
  }));
}

const refused = (message: string): AppError => fieldError('invalid', 'file', message);

function decode(file: Buffer): string {
  const text = decodeUtf8(file) ?? refuseBytes(file);
  if (!isStorable(text)) throw refused(`Line ${lineOf(text, text.indexOf('\u0000'))}: ${NOT_STORABLE}.`);
  // Windows' line ends also stand within cells, where they would be differences.
  return text.replace(/\r\n?/g, '\n');
}

const lineOf = (text: string, place: number): number => text.slice(0, place).split('\n').length;

/** Without its byte order mark; undefined if it is something else. */
function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function refuseBytes(file: Buffer): never {
  let line = 1;
  for (let from = 0; ; line += 1) {
    const to = file.indexOf(10, from);
    if (to < 0 || decodeUtf8(file.subarray(from, to)) === undefined) break;
    from = to + 1;
  }
  throw refused(`Line ${line} is not UTF-8. Please save the file as 'CSV UTF-8'.`);
}

interface CsvRecord {
  line: number;
  cells: string[];
}

/** Those that have a cell which is not empty, at most one more than a file may have. */
function parseRecords(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let ended = 0;
  try {
    parse(text, {
      delimiter: delimiterOf(text),
      recordDelimiter: '\n',
      trim: true,
      skipEmptyLines: true,
      skipRecordsWithEmptyValues: true,
      to: IMPORT_LIMITS.rows + 2,
      onRecord(cells: string[], { lines }) {
        records.push({ line: lines - cells.join('').split('\n').length + 1, cells: cells.map(asTyped) });
        ended = lines;
        return null;
      },
    });
    return records;
  } catch (error) {
    if (error instanceof CsvError) throw refused(describe(error, ended));
    throw error;
  }
}

const DELIMITERS = [',', ';', '\t'];

/** Without the columns that have neither heading nor cells, which spreadsheets leave at the edges. */
function withoutEmptyColumns(records: readonly CsvRecord[]): CsvRecord[] {
  const filled = new Set(records.flatMap(({ cells }) => [...cells.keys()].filter((place) => cells[place] !== '')));
  return records.map(({ line, cells }) => ({ line, cells: cells.filter((_, place) => filled.has(place)) }));
}

/** What stands between most headings: on the first line that is not blank. */
function delimiterOf(text: string): string {
  const [headings = ''] = text.trimStart().split('\n', 1);
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, count: headings.split(delimiter).length }));
  return counts.reduce((most, each) => (each.count > most.count ? each : most)).delimiter;
}

const asTyped = (cell: string): string => textOfCell(cell.trim());

/** @param ended the line on which the last row before ended */
function describe({ code, lines, record }: CsvError & { lines?: number; record?: unknown }, ended: number): string {
  switch (code) {
    case 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH':
      return `Line ${lines} has ${(record as string[]).length} cells, which is not as many as there are headings.`;
    case 'CSV_QUOTE_NOT_CLOSED':
      return `A quotation mark in the row that begins on line ${ended + 1} has no end.`;
    default:
      return `Line ${lines} has a quotation mark in the wrong place: a cell with one stands in quotation marks, and has it twice.`;
  }
}

/** How many unknown headings are named. */
const NAMED = 10;

/** The field of each column of a file. */
function fieldsOf(headings: readonly string[], columns: readonly ImportColumn[]): string[] {
  const known = new Map(columns.map(({ heading, field }) => [heading.toLowerCase(), field]));
  const fields = headings.map((heading) => known.get(heading.toLowerCase()));
  const unknown = headings.filter((_, place) => fields[place] === undefined);
  if (unknown.length > 0) {
    const named = unknown.slice(0, NAMED).map((heading) => `'${heading.slice(0, 100).toWellFormed()}'`);
    const more = unknown.length - named.length;
    const names = `${named.join(', ')}${more > 0 ? `, … (+${more})` : ''}`;
    throw refused(`The first row has no headings, or unknown ones: ${names}.`);
  }
  for (const { field, heading, needed } of columns) {
    const times = fields.filter((each) => each === field).length;
    if (times > 1) throw refused(`The heading '${heading}' stands there twice.`);
    if (times === 0 && needed === 'key') throw refused(`The heading '${heading}' is missing.`);
  }
  return fields as string[];
}
