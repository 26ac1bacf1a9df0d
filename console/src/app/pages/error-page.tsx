import { RotateCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button/button.tsx';
import { Logo } from '../../components/display/logo.tsx';
import { usePageTitle } from './page-title.ts';

/** The browsers' messages for a lazily loaded chunk that is gone or cannot be reached. */
const CHUNK_FAILURE = /dynamically imported module|importing a module script|preload CSS/i;

function ErrorScreen({ text }: { text: string }) {
  const { t } = useTranslation();
  usePageTitle(t('errors.title'));
  return (
    <main className="error-screen">
      <Logo size={48} />
      <h1>{t('errors.title')}</h1>
      <p>{text}</p>
      <Button icon={RotateCw} onClick={() => window.location.reload()}>
        {t('errors.reload')}
      </Button>
    </main>
  );
}

/** Whether a chunk of the console did not load. */
export const isChunkError = (error: unknown): boolean => error instanceof Error && CHUNK_FAILURE.test(error.message);

/** The text for an error. */
export function useCause(error: unknown): string {
  const { t } = useTranslation();
  return isChunkError(error) ? t('errors.chunk') : t('errors.text');
}

/** The error screen (SPEC §2.1, §8): the frame of the pages threw, or its chunk did not load. */
export function ErrorPage({ error }: { error: unknown }) {
  return <ErrorScreen text={useCause(error)} />;
}

/** Shown when the start-up failed, before there is a router. */
export function FailedStart() {
  const { t } = useTranslation();
  return <ErrorScreen text={t('errors.config')} />;
}
