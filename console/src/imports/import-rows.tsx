import type { ImportOutcome, ImportResult, PlannedImportRow } from '@apotheca/contract/imports';
import type { TFunction } from 'i18next';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge, type Tone } from '../components/display/badge.tsx';
import { SelectField } from '../components/field/select-field.tsx';
import { useInTurns } from '../lib/use-in-turns.ts';
import { messageText } from '../locales/messages.ts';
import type { Counts } from './counts-text.ts';

type Word = ImportOutcome | ImportResult;

const TONES: Record<Word, Tone> = {
  create: 'success',
  created: 'success',
  change: 'info',
  changed: 'info',
  same: 'muted',
  refused: 'danger',
  waiting: 'warning',
};

const AT_ONCE = 50;

/** A row of a plan or of a report. */
export type ShownRow = Pick<PlannedImportRow, 'line' | 'record' | 'changes' | 'reasons'> & { word: Word };

/** The rows of a file, each with what becomes of it; they can be narrowed to one outcome. */
export function ImportRows({ label, rows, counts }: { label: string; rows: ShownRow[]; counts: Counts }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState('');
  const options = counts
    .filter(([, count]) => count > 0)
    .map(([word, count]) => ({ value: word, label: t('imports.filter', { word: t(`imports.words.${word}`), count }) }));
  // A report goes on: of what was chosen there may be none any more, and the select then stands at all of them.
  const narrowed = options.some(({ value }) => value === chosen) ? chosen : '';
  const shown = narrowed === '' ? rows : rows.filter(({ word }) => word === narrowed);
  const { drawn } = useInTurns(shown.length, AT_ONCE);
  return (
    <div className="import-step">
      <SelectField
        label={t('imports.show')}
        value={narrowed}
        emptyLabel={t('imports.all', { count: rows.length })}
        options={options}
        onChange={(event) => setChosen(event.target.value)}
      />
      <ul className="import-rows" aria-label={label}>
        {shown.slice(0, drawn).map((row) => (
          <Row key={row.line} {...row} />
        ))}
      </ul>
    </div>
  );
}

/** Drawn anew only where something of it has changed. */
const Row = memo(function Row({ line, record, word, changes, reasons }: ShownRow) {
  const { t } = useTranslation();
  return (
    <li>
      <span className="import-line num">{t('imports.line', { line })}</span>
      <span className="import-record">{record || t('imports.noRecord')}</span>
      <Badge tone={TONES[word]}>{t(`imports.words.${word}`)}</Badge>
      {changes.map((change) => (
        <span key={change.heading} className="import-detail">
          {changeText(t, change)}
        </span>
      ))}
      {reasons.map((reason) => (
        <span key={`${reason.heading} ${reason.message}`} className="import-detail import-reason">
          {reasonText(reason)}
        </span>
      ))}
    </li>
  );
});

const changeText = (t: TFunction, { heading, from, to }: PlannedImportRow['changes'][number]): string =>
  t('imports.change', { heading, from: from || t('imports.empty'), to: to || t('imports.empty') });

const reasonText = ({ heading, message }: PlannedImportRow['reasons'][number]): string =>
  heading === '' ? messageText(message) : `${heading}: ${messageText(message)}`;
