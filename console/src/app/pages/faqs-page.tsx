import { faqImportRoutes } from '@apotheca/contract/faq-import';
import type { Faq, FaqHit } from '@apotheca/contract/faqs';
import { Eye } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button/button.tsx';
import { useOpenDialog } from '../../components/form/drafts.ts';
import type { FaqDialog } from '../../features/faqs/content-dialog.ts';
import { FaqDialogs } from '../../features/faqs/screen/content-dialogs.tsx';
import { CreateButton } from '../../features/faqs/screen/create-button.tsx';
import { FaqsTable } from '../../features/faqs/screen/faqs-table.tsx';
import { FaqSearch } from '../../features/faqs/search/faq-search.tsx';
import { ImportButton } from '../../imports/import-button.tsx';
import { faqPath, PATHS, sectionPath } from '../navigation/paths.ts';
import { PageHeader } from './page-header.tsx';

const sectionsOf = ({ id, name }: Faq): string => faqPath({ faqId: id, faqName: name });

/** The address of the list that contains a hit, filtered to it. */
function listOf({ kind, title, faqId, faqName, sectionId, sectionName }: FaqHit): string {
  const filter = `?${new URLSearchParams({ q: title })}`;
  if (kind === 'section') return faqPath({ faqId, faqName }) + filter;
  if (sectionId !== null) return sectionPath({ faqName, sectionId, sectionName: sectionName ?? '' }) + filter;
  return PATHS.faqs + filter;
}

/** FAQ's Management: the list, the search in all of them and the preview (SPEC §2.16). */
export function FaqsPage() {
  const { t } = useTranslation();
  const [dialog, setDialog] = useOpenDialog<FaqDialog>({ kind: 'none' });
  const actions = (
    <>
      <Button variant="secondary" icon={Eye} onClick={() => setDialog({ kind: 'preview' })}>
        {t('faqs.preview.title')}
      </Button>
      <ImportButton call={faqImportRoutes.start} onClick={() => setDialog({ kind: 'import' })} />
      <CreateButton kind="faq" onClick={() => setDialog({ kind: 'create' })} />
    </>
  );
  return (
    <>
      <PageHeader title={t('faqs.lists.faqs.title')} actions={actions} />
      <FaqSearch linkTo={listOf}>
        <FaqsTable linkTo={sectionsOf} onOpen={setDialog} />
      </FaqSearch>
      <FaqDialogs dialog={dialog} onClose={() => setDialog({ kind: 'none' })} />
    </>
  );
}
