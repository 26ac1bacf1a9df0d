import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dropAnswers } from '../../api/http/client.ts';
import { Card } from '../../components/display/card.tsx';
import { RetryNotice } from '../../components/notice/retry-notice.tsx';
import { reloadDocument } from '../../lib/reload-document.ts';
import { useAppDispatch } from '../state/store.ts';
import { isChunkError, useCause } from './error-page.tsx';
import { PageHeader } from './page-header.tsx';

/** The error screen in the content area, where one page threw or did not load (SPEC §2.1, §8); header and menu stay. */
export function PageFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  const cause = useCause(error);
  const dispatch = useAppDispatch();
  const [isAsking, setAsking] = useState(false);
  async function handleRetry() {
    if (isChunkError(error)) {
      setAsking(true);
      await reloadDocument();
      return setAsking(false);
    }
    // Data that a page failed to draw with is loaded again before the next attempt.
    dispatch(dropAnswers());
    onRetry();
  }
  return (
    <>
      <PageHeader title={t('errors.title')} />
      <Card>
        <RetryNotice busy={isAsking} onRetry={handleRetry}>
          {cause}
        </RetryNotice>
      </Card>
    </>
  );
}
