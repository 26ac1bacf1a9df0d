import type { TotpEnrolment } from '@apotheca/contract/sign-in-step';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { encode } from 'uqr';
import { CopyButton } from '../../../components/toast/copy-button.tsx';

/** What an authenticator app needs: a QR code to scan, and the same as a key to type. */
export function AppSetup({ secret, uri }: TotpEnrolment) {
  const { t } = useTranslation();
  const { size, path } = useMemo(() => squaresOf(uri), [uri]);
  return (
    <div className="app-setup">
      <p>{t('factors.app.scan')}</p>
      <svg className="app-setup-qr" role="img" aria-label={t('factors.app.qr')} viewBox={`0 0 ${size} ${size}`}>
        <path d={path} />
      </svg>
      <div className="app-setup-key">
        <code>{secret.replace(/.{4}(?=.)/g, '$& ')}</code>
        <CopyButton text={secret} label={t('factors.app.copyKey')} />
      </div>
    </div>
  );
}

/** A QR code as one path of squares, with the quiet border of two squares that scanners need. */
function squaresOf(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { border: 2 });
  const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return { size, path: squares.join('') };
}
