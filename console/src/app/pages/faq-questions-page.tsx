import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { useFindFaqSectionQuery } from '../../api/faqs.ts';
import { useOpenDialog } from '../../components/form/drafts.ts';
import type { QuestionDialog } from '../../features/faqs/content-dialog.ts';
import { QuestionDialogs } from '../../features/faqs/screen/content-dialogs.tsx';
import { CreateButton } from '../../features/faqs/screen/create-button.tsx';
import { isUnknown, MissingParent } from '../../features/faqs/screen/missing-parent.tsx';
import { QuestionsTable } from '../../features/faqs/screen/questions-table.tsx';
import { unlessForbidden } from '../../transport/api-error.ts';
import { faqPath, PATHS } from '../navigation/paths.ts';
import { PageHeader } from './page-header.tsx';

/** Question & Answer Management: the questions of the section whose id is in the address (SPEC §2.18). */
export function FaqQuestionsPage() {
  const { t } = useTranslation();
  const { sectionId = '', sectionName = '' } = useParams();
  const { currentData: section, error, isFetching, refetch } = useFindFaqSectionQuery({ id: sectionId });
  const [dialog, setDialog] = useOpenDialog<QuestionDialog>({ kind: 'none' }, sectionId);
  const isMissing = isUnknown(error);
  const toFaqs = { label: t('faqs.lists.faqs.title'), to: PATHS.faqs };
  const toSections = section && { label: t('faqs.lists.sections.title'), to: faqPath(section) };
  const shown = isMissing ? undefined : unlessForbidden(section, error);
  return (
    <>
      <PageHeader
        title={t('faqs.lists.questions.title')}
        subtitle={shown ? `${shown.faqName} › ${shown.name}` : isMissing ? undefined : sectionName}
        trail={toSections && shown ? [toFaqs, toSections] : [toFaqs]}
        actions={shown && <CreateButton kind="question" onClick={() => setDialog({ kind: 'create' })} />}
      />
      {shown ? (
        <QuestionsTable key={shown.id} sectionId={shown.id} onOpen={setDialog} />
      ) : (
        <MissingParent
          kind="section"
          error={isMissing ? 'missing' : isFetching ? undefined : error}
          backTo={PATHS.faqs}
          onRetry={refetch}
        />
      )}
      {/* Stays open, with what was typed in it, when another user deletes the section meanwhile. */}
      {section && (
        <QuestionDialogs
          dialog={dialog}
          section={{ faqId: section.faqId, sectionId: section.id }}
          onClose={() => setDialog({ kind: 'none' })}
        />
      )}
    </>
  );
}
