import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/button/button.tsx';
import { CopyButton } from '../../../components/toast/copy-button.tsx';
import { saveFile } from '../../../lib/save-file.ts';

interface RecoveryCodesProps {
  codes: string[];
  onDone: () => void;
}

/** Recovery codes, which are shown once: to copy, or to download. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const { t } = useTranslation();
  const text = codes.join('\n');
  const download = () => saveFile(t('factors.codes.file'), new Blob([`${text}\n`], { type: 'text/plain' }));
  return (
    <div className="recovery-codes">
      <p>{t('factors.codes.keep')}</p>
      <ul aria-label={t('factors.codes.title')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="recovery-codes-actions">
        <CopyButton text={text} label={t('factors.codes.copy')} />
        <Button variant="secondary" icon={Download} onClick={download}>
          {t('factors.codes.download')}
        </Button>
        <Button onClick={onDone}>{t('factors.codes.done')}</Button>
      </div>
    </div>
  );
}
