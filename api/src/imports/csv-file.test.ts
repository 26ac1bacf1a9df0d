import { IMPORT_LIMITS, type ImportColumn } from '@apotheca/contract/imports';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvHeading, csvRow } from '../csv.ts';
import { AppError } from '../errors.ts';
import { readCsv } from './csv-file.ts';

const COLUMNS: ImportColumn[] = [
  { field: 'code', heading: 'Code', needed: 'key', example: '' },
  { field: 'name', heading: 'Name', example: '' },
  { field: 'notes', heading: 'Notes', example: '' },
];

const read = (file: string | Buffer) => readCsv(Buffer.from(file), COLUMNS);

function refusalOf(file: string | Buffer): string | undefined {
  try {
    read(file);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.details.errors?.file?.[0];
  }
}

describe('a file that is read', () => {
  const ROWS = [
    { line: 2, cells: { code: 'A', name: 'Ärzte' } },
    { line: 3, cells: { code: 'B', notes: 'one; two, three' } },
  ];

  it.each([
    ['commas', 'Code,Name,Notes\nA,Ärzte,\nB,,"one; two, three"\n'],
    ['semicolons', 'Code;Name;Notes\nA;Ärzte;\nB;;"one; two, three"\n'],
    ['tabs', 'Code\tName\tNotes\nA\tÄrzte\t\nB\t\tone; two, three'],
    ['a byte order mark and CRLF', '\ufeffCode,Name,Notes\r\nA,Ärzte,\r\nB,,"one; two, three"'],
    ['CR only', 'Code,Name,Notes\rA,Ärzte,\rB,,"one; two, three"\r'],
    ['headings in another case and order', 'NOTES,code,name\n,A,Ärzte\n"one; two, three",B,\n'],
    ['spaces around cells', 'Code , Name,Notes\n A , Ärzte ,\nB,,  "one; two, three"  \n'],
    [
      'a column without heading and cells, as spreadsheets leave one',
      'Code,Name,Notes,\nA,Ärzte,,\nB,,"one; two, three",\n',
    ],
    ['rows of empty cells at the end', 'Code,Name,Notes\nA,Ärzte,\nB,,"one; two, three"\n,,\n\n'],
  ])('may have %s [§2.21]', (_, file) => {
    expect(read(file)).toEqual(ROWS);
  });

  it.each([',', ';', '\t'])('may have blank lines above its headings, with %j between cells [§2.21]', (between) => {
    const lines = ['', '  ', ['Code', 'Name'].join(between), ['A', 'Ärzte'].join(between)];
    expect(read(lines.join('\n'))).toEqual([{ line: 4, cells: { code: 'A', name: 'Ärzte' } }]);
  });

  it('may have line ends, quotation marks and delimiters within cells; lines are counted all the same [§2.21]', () => {
    expect(read('Code,Name\r\nA,"first\r\nsecond ""x"", third"\r\n\r\nB,b')).toEqual([
      { line: 2, cells: { code: 'A', name: 'first\nsecond "x", third' } },
      { line: 5, cells: { code: 'B', name: 'b' } },
    ]);
  });

  it('gives back what a download has made harmless for spreadsheets [§2.21]', () => {
    expect(read("Code,Name\nA,'=1+1\nB,'tis")).toEqual([
      { line: 2, cells: { code: 'A', name: '=1+1' } },
      { line: 3, cells: { code: 'B', name: "'tis" } },
    ]);
  });

  it('gives back every text that a download has, and none begins a formula whatever stands between cells [§2.6] [§2.21]', () => {
    const texts = fc.string({
      unit: fc.constantFrom(';', ',', '\t', '\n', ' ', '"', "'", '=', '-', 'a'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(texts, (typed) => {
        const notes = typed.trim();
        const file = csvHeading(['Code', 'Notes']) + csvRow(['A', notes]);
        expect(read(file)).toEqual([{ line: 2, cells: { code: 'A', ...(notes && { notes }) } }]);
        expect(file.split(/[;\t\r\n]/).filter((cell) => /^[ "]*[=-]/.test(cell))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it(`may have ${IMPORT_LIMITS.rows} rows and no more [§2.21]`, () => {
    const rows = 'A\n'.repeat(IMPORT_LIMITS.rows);
    expect(read(`Code\n${rows}`)).toHaveLength(IMPORT_LIMITS.rows);
    expect(refusalOf(`Code\n${rows}A\n`)).toBe(
      'The file has more than 5,000 rows below its headings. Please divide it.',
    );
  });
});

it.each([
  ['is empty', '', 'The file is empty: its first row has to be the headings.'],
  ['has headings only', 'Code,Name\n', 'The file has no row below its headings.'],
  ['has no headings', 'A,Ärzte\n', "The first row has no headings, or unknown ones: 'A', 'Ärzte'."],
  ['has cells below no heading', 'Code,\nA,b\n', "The first row has no headings, or unknown ones: ''."],
  ['has an unknown heading', 'Code,Colour\nA,b\n', "The first row has no headings, or unknown ones: 'Colour'."],
  [
    'has many unknown headings',
    `Code${',x'.repeat(1000)}\nA${',b'.repeat(1000)}\n`,
    `The first row has no headings, or unknown ones: ${Array(10).fill("'x'").join(', ')}, … (+990).`,
  ],
  ['has a heading twice', 'Code,Name,name\nA,b,c\n', "The heading 'Name' stands there twice."],
  ['has no key', 'Name\nÄrzte\n', "The heading 'Code' is missing."],
  ['has too many cells', 'Code,Name\nA,b\nB,c,d\n', 'Line 3 has 3 cells, which is not as many as there are headings.'],
  ['has too few cells', 'Code,Name\nA\n', 'Line 2 has 1 cells, which is not as many as there are headings.'],
  [
    'has an open quotation mark',
    'Code,Name\nA,"b\nB,c\n',
    'A quotation mark in the row that begins on line 2 has no end.',
  ],
  [
    'has a quotation mark in a cell',
    'Code,Name\nA,b"c\n',
    'Line 2 has a quotation mark in the wrong place: a cell with one stands in quotation marks, and has it twice.',
  ],
  ['has a NUL', 'Code,Name\nA,b\nB,\u0000\n', 'Line 3: This text contains a character that cannot be stored.'],
  [
    'is Latin-1',
    Buffer.from('Code,Name\nA,b\nB,Ärzte\n', 'latin1'),
    "Line 3 is not UTF-8. Please save the file as 'CSV UTF-8'.",
  ],
  ['is UTF-16', Buffer.from('\ufeffCode\nA\n', 'utf16le'), "Line 1 is not UTF-8. Please save the file as 'CSV UTF-8'."],
])('a file is refused that %s [§2.21]', (_, file, message) => {
  expect(refusalOf(file)).toBe(message);
});
