import {
  type ComparedRevision,
  type FaqKind,
  faqRevisionRoutes,
  type RevisedContent,
} from '@apotheca/contract/faq-revisions';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCompareFaqRevisionQuery, useListFaqRevisionsQuery } from '../../../api/faqs.ts';
import { Button } from '../../../components/button/button.tsx';
import { DialogButtons } from '../../../components/dialog/dialog-buttons.tsx';
import { Modal } from '../../../components/dialog/modal.tsx';
import { useLastingDialog } from '../../../components/dialog/use-lasting-dialog.ts';
import { Spinner } from '../../../components/waiting/spinner.tsx';
import { lazyPart } from '../../../lib/lazy-part.ts';
import { LoadFailed } from '../../../operations/load-failed.tsx';
import { useRefusal } from '../../../rights/rights.tsx';
import { isConflict, unlessForbidden } from '../../../transport/api-error.ts';
import { RestoreDialog, type Restored } from './restore-dialog.tsx';
import { RevisionList } from './revision-list.tsx';

interface RevisionsModalProps {
  show: boolean;
  kind: FaqKind;
  id: string;
  /** What people know the record by. */
  name: string;
  onClose: () => void;
}

type Asked = { kind: 'none' } | { kind: 'restore'; restored: Restored };

const useComparison = lazyPart(async () => (await import('./revision-comparison.tsx')).RevisionComparison);

/** What an FAQ, section or question was after each change, beside what it is now, to be restored. */
export function RevisionsModal({ show, kind, id, name, onClose }: RevisionsModalProps) {
  const { t } = useTranslation();
  const list = useListFaqRevisionsQuery({ kind, id }, { refetchOnMountOrArgChange: true });
  const revisions = unlessForbidden(list.currentData, list.error) ?? [];
  const [chosen, choose] = useState<number>();
  // At first what it was before the last change.
  const shown = revisions.find(({ revision }) => revision === chosen) ?? revisions[1] ?? revisions[0];
  const compared = useCompareFaqRevisionQuery(shown ? { kind, id, revision: String(shown.revision) } : skipToken);
  const [asked, ask] = useState<Asked>({ kind: 'none' });
  const { key, dialog, show: isAsking } = useLastingDialog(asked);
  const comparison = unlessForbidden(compared.currentData, compared.error);
  const isSame = comparison !== undefined && areSame(comparison);
  const refusal = useRefusal();
  function askToRestore() {
    if (!shown || !comparison) return;
    const { revision, onUtc } = shown;
    choose(revision);
    ask({ kind: 'restore', restored: { kind, id, revision, onUtc, version: comparison.version } });
  }
  const footer = (
    <DialogButtons isBusy={false} closeText={t('faqs.revisions.close')} onClose={onClose}>
      <Button
        disabled={!comparison}
        // Once it is restored too, when the question gives the focus back to this button.
        refusal={refusal(faqRevisionRoutes.restore) ?? (isSame ? t('faqs.revisions.same') : undefined)}
        onClick={askToRestore}
      >
        {t('faqs.revisions.restore')}
      </Button>
    </DialogButtons>
  );
  return (
    <>
      <Modal
        {...{ show, footer, onClose }}
        title={t('faqs.revisions.title')}
        subtitle={<bdi>{name}</bdi>}
        size="xl"
        bodyHeight="24rem"
      >
        {!list.currentData && !list.error && <Spinner label={t('faqs.revisions.loading')} />}
        {list.error && <LoadFailed error={list.error} busy={list.isFetching} onRetry={list.refetch} />}
        {shown && (
          <div className="faq-revisions">
            <RevisionList kind={kind} revisions={revisions} chosen={shown.revision} onChoose={choose} />
            <section aria-label={t('faqs.revisions.comparison')}>
              <Comparison kind={kind} compared={compared} />
            </section>
          </div>
        )}
      </Modal>
      {dialog.kind === 'restore' && (
        <RestoreDialog
          key={key}
          show={isAsking}
          restored={dialog.restored}
          onRefused={(error) => {
            void list.refetch();
            void compared.refetch();
            // What it is by now is looked at first, before anybody restores over it.
            if (isConflict(error)) ask({ kind: 'none' });
          }}
          onClose={() => ask({ kind: 'none' })}
        />
      )}
    </>
  );
}

interface ComparisonProps {
  kind: FaqKind;
  compared: ReturnType<typeof useCompareFaqRevisionQuery>;
}

function Comparison({ kind, compared: { currentData, error, isFetching, refetch } }: ComparisonProps) {
  const { t } = useTranslation();
  const { value: RevisionComparison, isError, retry } = useComparison();
  if (isError) return <LoadFailed error={undefined} onRetry={retry} />;
  if (error) return <LoadFailed error={error} busy={isFetching} onRetry={refetch} />;
  if (!currentData || !RevisionComparison) return <Spinner label={t('faqs.revisions.loading')} />;
  return <RevisionComparison kind={kind} {...currentData} />;
}

const areSame = ({ past, present }: ComparedRevision): boolean =>
  Object.entries(present).every(([field, value]) => past[field as keyof RevisedContent] === value);
