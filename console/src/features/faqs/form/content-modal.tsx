import { faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import { faqSectionRoutes } from '@apotheca/contract/faq-sections';
import { faqRoutes } from '@apotheca/contract/faqs';
import { type ReactNode, useId } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { RecordModal } from '../../../components/dialog/record-modal.tsx';
import type { SelectOption } from '../../../components/field/select-options.tsx';
import { Overlay } from '../../../components/waiting/overlay.tsx';
import { useRefusal } from '../../../rights/rights.tsx';
import type { FormFrame } from './content-form.tsx';
import { type ContentStaleEditOptions, useContentStaleEdit } from './use-content-stale-edit.ts';
import { type SaveContentOptions, useSaveContent } from './use-save-content.ts';

interface ContentModalProps<Input extends FieldValues, Output>
  extends Pick<ContentStaleEditOptions<Input, Output>, 'form' | 'labels' | 'nameOf'>,
    Pick<SaveContentOptions<Input, Output>, 'send'> {
  show: boolean;
  kind: 'faq' | 'section' | 'question';
  /** The edited record; undefined: a new one is created. */
  edited: { version: number } | undefined;
  subtitle: string | undefined;
  /** The FAQs to choose from; absent: the form needs none. */
  faqs?: { options: readonly SelectOption[] | undefined; isError: boolean; refetch: () => unknown };
  onClose: () => void;
  /** Draws the form, once its FAQs are loaded. */
  children: (frame: FormFrame, faqs: readonly SelectOption[]) => ReactNode;
}

const ROUTES = { faq: faqRoutes, section: faqSectionRoutes, question: faqQuestionRoutes };
const NO_FAQS = { options: [], isError: false, refetch: () => {} };

/** Creates or edits an FAQ, a section or a question (SPEC §2.19). */
export function ContentModal<Input extends FieldValues, Output>(props: ContentModalProps<Input, Output>) {
  const { show, kind, edited, subtitle, form, labels, nameOf, send, faqs = NO_FAQS, onClose, children } = props;
  const { t } = useTranslation();
  const formId = useId();
  const stale = useContentStaleEdit({ form, version: edited?.version, labels, nameOf });
  const { save, isSaving, failure } = useSaveContent({ form, isNew: !edited, stale, send, onSaved: onClose });
  const frame = { id: formId, notice: stale.notice, onSubmit: form.handleSubmit(save) };
  const mode = edited ? 'edit' : 'create';
  const saveRefusal = useRefusal()(ROUTES[kind][mode]);
  const placeholder = {
    loadingText: t('faqs.modal.loading'),
    failedText: t('faqs.modal.loadFailed'),
    isError: faqs.isError,
    onRetry: faqs.refetch,
  };
  return (
    <RecordModal
      {...{ show, mode, formId, isSaving, saveRefusal, failure, subtitle, placeholder, onClose }}
      title={t(`faqs.modal.${mode}.${kind}`)}
      size={kind === 'question' ? 'xl' : 'lg'}
      bodyHeight="37rem"
      dirty={form.formState.isDirty}
      isReady={faqs.options !== undefined}
      saveText={t('faqs.modal.save')}
    >
      {faqs.options && (
        <div className="faq-modal">
          {children(frame, faqs.options)}
          {isSaving && <Overlay label={t('faqs.modal.saving')} />}
        </div>
      )}
    </RecordModal>
  );
}
