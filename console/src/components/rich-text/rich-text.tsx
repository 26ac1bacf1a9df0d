import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../lib/lazy-part.ts';
import { Button } from '../button/button.tsx';

const useSanitiser = lazyPart(async () => (await import('./sanitise.ts')).sanitise);

/** Rich text as readers see it. It is sanitised once more, whatever the server sent (DECISIONS §11). */
export function RichText({ html }: { html: string }) {
  const { t } = useTranslation();
  const { value: sanitise, isError, retry } = useSanitiser();
  const safe = useMemo(() => sanitise?.(html), [sanitise, html]);
  if (isError) {
    return (
      <p role="alert">
        {t('components.richText.showFailed')}{' '}
        <Button variant="secondary" size="small" onClick={retry}>
          {t('components.retry')}
        </Button>
      </p>
    );
  }
  if (safe === undefined) return <span className="skeleton" />;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: what `sanitise` lets through is safe, and is HTML.
  return <div className="rich-text" dangerouslySetInnerHTML={{ __html: safe }} />;
}
