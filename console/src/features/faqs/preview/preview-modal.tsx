import type { Faq } from '@apotheca/contract/faqs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useGetFaqTreeQuery } from '../../../api/faqs.ts';
import { Button } from '../../../components/button/button.tsx';
import { Modal } from '../../../components/dialog/modal.tsx';
import { Checkbox } from '../../../components/field/checkbox.tsx';
import { EmptyState } from '../../../components/notice/empty-state.tsx';
import { Overlay } from '../../../components/waiting/overlay.tsx';
import { LoadFailed } from '../../../operations/load-failed.tsx';
import { PreviewFaq } from './preview-faq.tsx';

interface PreviewModalProps {
  show: boolean;
  /** Absent: all FAQs. */
  faq?: Faq;
  onClose: () => void;
}

/** FAQs as readers see them; what readers do not see can be shown too, with the reason. */
export function PreviewModal({ show, faq, onClose }: PreviewModalProps) {
  const { t } = useTranslation();
  const [isAll, setAll] = useState(false);
  return (
    <Modal
      show={show}
      title={t('faqs.preview.title')}
      subtitle={faq?.name ?? t('faqs.preview.all')}
      size="xl"
      bodyHeight="73vh"
      footer={
        <Button variant="secondary" onClick={onClose}>
          {t('faqs.preview.close')}
        </Button>
      }
      onClose={onClose}
    >
      <Checkbox
        label={t('faqs.preview.showHidden')}
        checked={isAll}
        onChange={(event) => setAll(event.target.checked)}
      />
      <PreviewTree faqId={faq?.id} hidden={isAll} />
    </Modal>
  );
}

function PreviewTree({ faqId, hidden }: { faqId: string | undefined; hidden: boolean }) {
  const { t } = useTranslation();
  const query = { ...(faqId !== undefined && { faqId }), hidden: String(hidden) };
  const { data, error, isFetching, refetch } = useGetFaqTreeQuery(query, { refetchOnMountOrArgChange: true });
  return (
    <div className="faq-preview" aria-busy={isFetching}>
      {error && !isFetching && <LoadFailed error={error} onRetry={refetch} />}
      {!error && data?.length === 0 && !isFetching && (
        <EmptyState text={t(hidden ? 'faqs.preview.empty' : 'faqs.preview.nothingShown')} />
      )}
      {!error && data?.map((one) => <PreviewFaq key={one.id} faq={one} />)}
      {isFetching && <Overlay label={t('faqs.preview.loading')} />}
    </div>
  );
}
