import type { FaqSection } from '@apotheca/contract/faq-sections';
import type { Faq } from '@apotheca/contract/faqs';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { useListFaqsQuery } from '../../api/faqs.ts';
import { useOpenDialog } from '../../components/form/drafts.ts';
import type { SectionDialog } from '../../features/faqs/content-dialog.ts';
import { SectionDialogs } from '../../features/faqs/screen/content-dialogs.tsx';
import { CreateButton } from '../../features/faqs/screen/create-button.tsx';
import { MissingParent } from '../../features/faqs/screen/missing-parent.tsx';
import { SectionsTable } from '../../features/faqs/screen/sections-table.tsx';
import { unlessForbidden } from '../../transport/api-error.ts';
import { PATHS, sectionPath } from '../navigation/paths.ts';
import { PageHeader } from './page-header.tsx';

/** Section Management: the sections of the FAQ whose id is in the address (SPEC §2.17). */
export function FaqSectionsPage() {
  const { t } = useTranslation();
  const { faqId: idInAddress = '', faqName = '' } = useParams();
  const faqId = idInAddress.toLowerCase();
  const { data, error, isFetching, refetch } = useListFaqsQuery();
  const faqs = unlessForbidden(data, error);
  const faq = faqs?.find(({ id }) => id === faqId);
  const [dialog, setDialog] = useOpenDialog<SectionDialog>({ kind: 'none' }, faqId);
  const isMissing = faqs !== undefined && faq === undefined && !isFetching;
  return (
    <>
      <PageHeader
        title={t('faqs.lists.sections.title')}
        subtitle={faq?.name ?? (isMissing ? undefined : faqName)}
        trail={[{ label: t('faqs.lists.faqs.title'), to: PATHS.faqs }]}
        actions={faq && <CreateButton kind="section" onClick={() => setDialog({ kind: 'create' })} />}
      />
      {faq ? (
        <Sections key={faq.id} faq={faq} onOpen={setDialog} />
      ) : (
        <MissingParent
          kind="faq"
          error={isMissing ? 'missing' : isFetching ? undefined : error}
          backTo={PATHS.faqs}
          onRetry={refetch}
        />
      )}
      {/* Stays open, with what was typed in it, when another user deletes the FAQ meanwhile. */}
      <SectionDialogs dialog={dialog} faqId={faqId} onClose={() => setDialog({ kind: 'none' })} />
    </>
  );
}

function Sections({ faq, onOpen }: { faq: Faq; onOpen: (dialog: SectionDialog) => void }) {
  const { id, name } = faq;
  const questionsOf = useCallback(
    (section: FaqSection) => sectionPath({ faqName: name, sectionId: section.id, sectionName: section.name }),
    [name],
  );
  return <SectionsTable faqId={id} linkTo={questionsOf} onOpen={onOpen} />;
}
