import { useLastingDialog } from '../../../components/dialog/use-lasting-dialog.ts';
import { ImportModal } from '../../../imports/import-modal.tsx';
import type { FaqDialog, QuestionDialog, SectionDialog } from '../content-dialog.ts';
import { DeleteFaqDialog, DeleteQuestionDialog, DeleteSectionDialog } from '../deletion/delete-dialogs.tsx';
import { FaqModal } from '../form/faq-modal.tsx';
import { QuestionModal } from '../form/question-modal.tsx';
import { SectionModal } from '../form/section-modal.tsx';
import { PreviewModal } from '../preview/preview-modal.tsx';
import { RevisionsModal } from '../revisions/revisions-modal.tsx';

interface DialogProps<Dialog> {
  dialog: Dialog;
  onClose: () => void;
}

type Shown<Props> = Props & { show: boolean };

/** The dialog of the FAQ list that is open. */
export function FaqDialogs({ dialog, onClose }: DialogProps<FaqDialog>) {
  const { key, ...shown } = useLastingDialog(dialog);
  return <FaqDialogOf key={key} {...shown} onClose={onClose} />;
}

function FaqDialogOf({ dialog, ...shared }: Shown<DialogProps<FaqDialog>>) {
  switch (dialog.kind) {
    case 'none':
      return null;
    case 'import':
      return <ImportModal what="faqs" {...shared} />;
    case 'create':
      return <FaqModal {...shared} />;
    case 'edit':
      return <FaqModal faq={dialog.faq} {...shared} />;
    case 'delete':
      return <DeleteFaqDialog faq={dialog.faq} {...shared} />;
    case 'history':
      return <RevisionsModal kind="faq" id={dialog.faq.id} name={dialog.faq.name} {...shared} />;
    case 'preview':
      return <PreviewModal faq={dialog.faq} {...shared} />;
  }
}

interface SectionDialogsProps extends DialogProps<SectionDialog> {
  /** The FAQ of the page. */
  faqId: string;
}

/** The dialog of a list of sections that is open. */
export function SectionDialogs({ dialog, ...rest }: SectionDialogsProps) {
  const { key, ...shown } = useLastingDialog(dialog);
  return <SectionDialogOf key={key} {...shown} {...rest} />;
}

function SectionDialogOf({ dialog, faqId, ...shared }: Shown<SectionDialogsProps>) {
  switch (dialog.kind) {
    case 'none':
      return null;
    case 'create':
      return <SectionModal faqId={faqId} {...shared} />;
    case 'edit':
      return <SectionModal faqId={faqId} section={dialog.section} {...shared} />;
    case 'delete':
      return <DeleteSectionDialog section={dialog.section} {...shared} />;
    case 'history':
      return <RevisionsModal kind="section" id={dialog.section.id} name={dialog.section.name} {...shared} />;
  }
}

interface QuestionDialogsProps extends DialogProps<QuestionDialog> {
  /** The section of the page, and its FAQ. */
  section: { faqId: string; sectionId: string };
}

/** The dialog of a list of questions that is open. */
export function QuestionDialogs({ dialog, ...rest }: QuestionDialogsProps) {
  const { key, ...shown } = useLastingDialog(dialog);
  return <QuestionDialogOf key={key} {...shown} {...rest} />;
}

function QuestionDialogOf({ dialog, section, ...shared }: Shown<QuestionDialogsProps>) {
  switch (dialog.kind) {
    case 'none':
      return null;
    case 'create':
      return <QuestionModal section={section} {...shared} />;
    case 'edit':
      return <QuestionModal section={section} question={dialog.question} {...shared} />;
    case 'delete':
      return <DeleteQuestionDialog question={dialog.question} {...shared} />;
    case 'history':
      return <RevisionsModal kind="question" id={dialog.question.id} name={dialog.question.question} {...shared} />;
  }
}
