import type { FaqTree } from '@apotheca/contract/faqs';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, type ToggleEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/button/button.tsx';
import { Badge } from '../../../components/display/badge.tsx';
import { RichText } from '../../../components/rich-text/rich-text.tsx';
import { classNames } from '../../../lib/class-names.ts';
import { messageText } from '../../../locales/messages.ts';

type Section = FaqTree['sections'][number];

/** This many questions are drawn at a time. */
const PAGE = 200;

/** One FAQ: its sections unfold to their questions, and questions to their answers. */
export function PreviewFaq({ faq: { name, overview, hiddenBecause, sections } }: { faq: FaqTree }) {
  const { t } = useTranslation();
  return (
    <section className={classNames('faq-preview-faq', hiddenBecause !== null && 'faq-hidden')}>
      <h3>
        <bdi>{name}</bdi> <HiddenBecause reason={hiddenBecause} />
      </h3>
      {overview !== '' && <RichText html={overview} />}
      {sections.length === 0 && <p className="faq-preview-none">{t('faqs.preview.noSections')}</p>}
      {sections.map((section) => (
        <Fold key={section.id} title={section.name} hiddenBecause={section.hiddenBecause}>
          <PreviewSection section={section} />
        </Fold>
      ))}
    </section>
  );
}

function PreviewSection({ section: { overview, questions } }: { section: Section }) {
  const { t } = useTranslation();
  const [count, setCount] = useState(PAGE);
  return (
    <>
      {overview !== '' && <RichText html={overview} />}
      {questions.length === 0 && <p className="faq-preview-none">{t('faqs.preview.noQuestions')}</p>}
      {questions.slice(0, count).map(({ id, question, answer, helpful, unhelpful, hiddenBecause }) => (
        <Fold key={id} title={question} hiddenBecause={hiddenBecause}>
          <RichText html={answer} />
          {helpful + unhelpful > 0 && (
            <p className="faq-preview-none">{t('faqs.public.foundHelpful', { helpful, count: helpful + unhelpful })}</p>
          )}
        </Fold>
      ))}
      {questions.length > count && (
        <Button variant="secondary" size="small" onClick={() => setCount(count + PAGE)}>
          {t('faqs.preview.more', { shown: count, total: questions.length })}
        </Button>
      )}
    </>
  );
}

interface FoldProps {
  title: string;
  hiddenBecause: string | null;
  children: ReactNode;
}

/** Folded content is not drawn: a section may have thousands of answers. */
function Fold({ title, hiddenBecause, children }: FoldProps) {
  const [isOpen, setOpen] = useState(false);
  const handleToggle = ({ currentTarget }: ToggleEvent<HTMLDetailsElement>) => setOpen(currentTarget.open);
  return (
    <details className={classNames('faq-fold', hiddenBecause !== null && 'faq-hidden')} onToggle={handleToggle}>
      <summary>
        <ChevronRight className="icon" aria-hidden="true" />
        <bdi>{title}</bdi>
        <HiddenBecause reason={hiddenBecause} />
      </summary>
      {isOpen && <div className="faq-fold-body">{children}</div>}
    </details>
  );
}

const HiddenBecause = ({ reason }: { reason: string | null }) =>
  reason !== null && <Badge tone="warning">{messageText(reason)}</Badge>;
