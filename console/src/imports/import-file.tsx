import type { ImportColumn } from '@apotheca/contract/imports';
import { Download, History } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Imported } from '../api/imports.ts';
import { Button } from '../components/button/button.tsx';
import { FileDrop } from '../components/field/file-drop.tsx';
import { Notice } from '../components/notice/notice.tsx';
import { downloadCsv, toCsv } from '../lib/csv.ts';
import { IMPORT_COLUMNS } from './import-columns.ts';

interface ImportFileProps {
  what: Imported;
  file: File | undefined;
  error: string | undefined;
  onFile: (file: File) => void;
  onReport: () => void;
}

/** The first step: a file, with what may stand in it. */
export function ImportFile({ what, file, error, onFile, onReport }: ImportFileProps) {
  const { t } = useTranslation();
  const columns = IMPORT_COLUMNS[what];
  const template = () =>
    downloadCsv(
      `${what}-template.csv`,
      toCsv([columns.map(({ heading }) => heading), columns.map(({ example }) => example)]),
    );
  return (
    <div className="import-step">
      <p>{t(`imports.lead.${what}`)}</p>
      {what === 'users' && <Notice tone="info">{t('imports.signIn')}</Notice>}
      <FileDrop label={t('imports.file')} text={t('imports.drop')} file={file} error={error} onFile={onFile} />
      <div className="import-links">
        <Button variant="secondary" size="small" icon={Download} onClick={template}>
          {t('imports.template')}
        </Button>
        <Button variant="secondary" size="small" icon={History} onClick={onReport}>
          {t('imports.last')}
        </Button>
      </div>
      <details className="import-columns">
        <summary>{t('imports.columns')}</summary>
        <p>{t('imports.emptyCells')}</p>
        <ul>
          {columns.map((column) => (
            <li key={column.field}>
              <strong>{column.heading}</strong> <ColumnHelp column={column} />
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}

/** When a column is needed, and how its cells are written. */
function ColumnHelp({ column: { needed, type } }: { column: ImportColumn }) {
  const { t } = useTranslation();
  const parts = [needed && t(`imports.needed.${needed}`), type && t(`imports.types.${type}`)].filter(Boolean);
  return <span className="text-muted">{parts.join('; ')}</span>;
}
