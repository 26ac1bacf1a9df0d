import { withScrollingTables } from '@apotheca/contract/rich-text';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../lib/lazy-part.ts';
import { Button } from '../button/button.tsx';

const useSanitizer = lazyPart(async () => (await import('./sanitize.ts')).sanitize);

/** Rich text as readers see it; sanitized here too, as the server may be another one (DECISIONS §11). */
export function RichText({ html }: { html: string }) {
  const { t } = useTranslation();
  const { value: sanitize, isError, retry } = useSanitizer();
  const table = t('components.richText.table');
  const safe = useMemo(() => sanitize && withScrollingTables(sanitize(html), table), [sanitize, html, table]);
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
  // biome-ignore lint/security/noDangerouslySetInnerHtml: what `sanitize` lets through is safe, and is HTML.
  return <div className="rich-text" dangerouslySetInnerHTML={{ __html: safe }} />;
}
