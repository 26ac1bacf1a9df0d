import { useLastingDialog } from '../../../components/dialog/use-lasting-dialog.ts';
import type { FaqDialog, QuestionDialog, SectionDialog } from '../content-dialog.ts';
import { DeleteFaqDialog, DeleteQuestionDialog, DeleteSectionDialog } from '../deletion/delete-dialogs.tsx';
import { FaqModal } from '../form/faq-modal.tsx';
import { QuestionModal } from '../form/question-modal.tsx';
import { SectionModal } from '../form/section-modal.tsx';
import { PreviewModal } from '../preview/preview-modal.tsx';

interface DialogProps<Dialog> {
  dialog: Dialog;
  onClose: () => void;
}

/** The dialog of the FAQ list that is open. */
export function FaqDialogs({ dialog: opened, onClose }: DialogProps<FaqDialog>) {
  const { dialog, key, show } = useLastingDialog(opened);
  const shared = { show, onClose };
  switch (dialog.kind) {
    case 'none':
      return null;
    case 'create':
      return <FaqModal key={key} {...shared} />;
    case 'edit':
      return <FaqModal key={key} faq={dialog.faq} {...shared} />;
    case 'delete':
      return <DeleteFaqDialog key={key} faq={dialog.faq} {...shared} />;
    case 'preview':
      return <PreviewModal key={key} faq={dialog.faq} {...shared} />;
  }
}

/** The dialog of a list of sections that is open. */
export function SectionDialogs({ dialog: opened, faqId, onClose }: DialogProps<SectionDialog> & { faqId: string }) {
  const { dialog, key, show } = useLastingDialog(opened);
  const shared = { show, onClose };
  switch (dialog.kind) {
    case 'none':
      return null;
    case 'create':
      return <SectionModal key={key} faqId={faqId} {...shared} />;
    case 'edit':
      return <SectionModal key={key} faqId={faqId} section={dialog.section} {...shared} />;
    case 'delete':
      return <DeleteSectionDialog key={key} section={dialog.section} {...shared} />;
  }
}

interface QuestionDialogsProps extends DialogProps<QuestionDialog> {
  /** The section of the page, and its FAQ. */
  section: { faqId: string; sectionId: string };
}

/** The dialog of a list of questions that is open. */
export function QuestionDialogs({ dialog: opened, section, onClose }: QuestionDialogsProps) {
  const { dialog, key, show } = useLastingDialog(opened);
  const shared = { show, onClose };
  switch (dialog.kind) {
    case 'none':
      return null;
    case 'create':
      return <QuestionModal key={key} section={section} {...shared} />;
    case 'edit':
      return <QuestionModal key={key} section={section} question={dialog.question} {...shared} />;
    case 'delete':
      return <DeleteQuestionDialog key={key} question={dialog.question} {...shared} />;
  }
}
