import type { BulkOutcome, BulkPlan, BulkResult } from '@apotheca/contract/bulks';
import type { TFunction } from 'i18next';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge, type Tone } from '../components/display/badge.tsx';
import { SelectField } from '../components/field/select-field.tsx';
import { formatCount } from '../lib/numbers.ts';
import { useInTurns } from '../lib/use-in-turns.ts';
import { messageText } from '../locales/messages.ts';

export type BulkWord = BulkOutcome | BulkResult;

const TONES: Record<BulkWord, Tone> = {
  change: 'info',
  changed: 'success',
  same: 'muted',
  refused: 'danger',
  waiting: 'warning',
};

const AT_ONCE = 50;

/** A record of a plan or of a report. */
export type ShownRecord = Omit<BulkPlan['rows'][number], 'outcome'> & { word: BulkWord };

/** The selected records, each with what becomes of it; they can be narrowed to one outcome. */
export function BulkRows({ rows, words }: { rows: ShownRecord[]; words: readonly BulkWord[] }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState('');
  const options = words
    .map((word) => ({ word, count: rows.filter((row) => row.word === word).length }))
    .filter(({ count }) => count > 0)
    .map(({ word, count }) => ({
      value: word,
      label: `${t(`bulks.words.${word}`)}: ${formatCount(count)}`,
    }));
  // A report goes on: of what was chosen there may be none any more, and the select then stands at all of them.
  const narrowed = options.some(({ value }) => value === chosen) ? chosen : '';
  const shown = narrowed === '' ? rows : rows.filter(({ word }) => word === narrowed);
  const { drawn } = useInTurns(shown.length, AT_ONCE);
  return (
    <>
      {options.length > 1 && (
        <SelectField
          label={t('bulks.show')}
          value={narrowed}
          emptyLabel={t('bulks.all', { count: rows.length })}
          options={options}
          onChange={(event) => setChosen(event.target.value)}
        />
      )}
      <ul className="bulk-rows" aria-label={t('bulks.rows')}>
        {shown.slice(0, drawn).map((row) => (
          <Row key={row.id} {...row} />
        ))}
      </ul>
    </>
  );
}

/** Drawn anew only where something of it has changed: a report is asked for again and again. */
const Row = memo(function Row(row: ShownRecord) {
  const { t } = useTranslation();
  const details = detailsOf(t, row);
  return (
    <li>
      <strong>{row.record}</strong>
      <Badge tone={TONES[row.word]}>{t(`bulks.words.${row.word}`)}</Badge>
      {details !== '' && <span className="text-muted">{details}</span>}
    </li>
  );
});

/** What changes of a record, or why it is refused, in one line. */
const detailsOf = (t: TFunction, { changes, reasons }: ShownRecord): string =>
  [
    ...changes.map(({ heading, from, to }) =>
      t('bulks.change', { heading: messageText(heading), from: valueText(from), to: valueText(to) }),
    ),
    ...reasons.map(({ heading, message }) => [heading, message].filter(Boolean).map(messageText).join(': ')),
  ].join('; ');

/** What is no name of a record: whether it is active. */
const valueText = (value: string) => (value === 'yes' || value === 'no' ? messageText(value) : value);
