import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FormModalFooter } from '../../../components/dialog/form-modal-footer.tsx';
import { Modal } from '../../../components/dialog/modal.tsx';
import { Overlay } from '../../../components/waiting/overlay.tsx';

interface ContentModalProps {
  show: boolean;
  kind: 'faq' | 'section' | 'question';
  isNew: boolean;
  /** What is edited. */
  subtitle: string | undefined;
  formId: string;
  /** The form is there. */
  isReady: boolean;
  isDirty: boolean;
  isSaving: boolean;
  /** Why the last attempt failed. */
  failure: string | undefined;
  onClose: () => void;
  children: ReactNode;
}

/** The frame of the modals of FAQs, sections and questions (SPEC §2.19). */
export function ContentModal({
  kind,
  isNew,
  formId,
  isReady,
  isDirty,
  isSaving,
  children,
  ...modal
}: ContentModalProps) {
  const { t } = useTranslation();
  const mode = isNew ? 'create' : 'edit';
  return (
    <Modal
      {...modal}
      title={t(`faqs.modal.${mode}.${kind}`)}
      size={kind === 'question' ? 'xl' : 'lg'}
      dirty={isDirty}
      busy={isSaving}
      footer={
        <FormModalFooter
          mode={mode}
          formId={formId}
          isReady={isReady}
          isSaving={isSaving}
          saveText={t('faqs.modal.save')}
        />
      }
    >
      <div className="faq-modal">
        {children}
        {isSaving && <Overlay label={t('faqs.modal.saving')} />}
      </div>
    </Modal>
  );
}
