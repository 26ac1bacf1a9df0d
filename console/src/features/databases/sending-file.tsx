import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button/button.tsx';
import { ProgressBar } from '../../components/waiting/progress-bar.tsx';
import { formatBytes } from '../../lib/numbers.ts';

/** How much of an archive is sent. The upload continues after the last byte: the server reads the archive before it keeps it. */
export function SendingFile({ file, sent, onCancel }: { file: File; sent: number; onCancel: () => void }) {
  const { t } = useTranslation();
  const isChecking = sent >= file.size;
  const label = t(isChecking ? 'databases.upload.checking' : 'databases.upload.sending', { name: file.name });
  return (
    <div className="upload-archive">
      <p role="status">{label}</p>
      <ProgressBar label={label} percent={Math.round((100 * Math.min(sent, file.size)) / Math.max(1, file.size))} />
      <div className="upload-foot">
        <span className="operation-meter-figure">
          {t('databases.upload.amount', {
            sent: formatBytes(Math.min(sent, file.size)),
            size: formatBytes(file.size),
          })}
        </span>
        <Button variant="secondary" size="small" onClick={onCancel}>
          {t('databases.upload.cancel')}
        </Button>
      </div>
    </div>
  );
}
