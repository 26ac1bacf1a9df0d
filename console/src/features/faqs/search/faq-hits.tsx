import type { FaqHit } from '@apotheca/contract/faqs';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Card } from '../../../components/display/card.tsx';
import { EmptyState } from '../../../components/notice/empty-state.tsx';
import { Spinner } from '../../../components/waiting/spinner.tsx';
import { LoadFailed } from '../../../operations/load-failed.tsx';

interface FaqHitsProps {
  /** What was searched for. */
  text: string;
  /** Undefined until they are there. */
  hits: readonly FaqHit[] | undefined;
  error: { message?: string } | undefined;
  linkTo: (hit: FaqHit) => string;
  onRetry: () => void;
}

/** The server gives no more than so many. */
const MOST = 100;

/** What a search has found: each hit with its place and the words around it, and a way there. */
export function FaqHits({ text, hits, error, linkTo, onRetry }: FaqHitsProps) {
  const { t } = useTranslation();
  return (
    <Card title={t('faqs.search.title')} flush>
      <p className="faq-hits-count" role="status">
        {hits && t(hits.length < MOST ? 'faqs.search.count' : 'faqs.search.most', { count: hits.length })}
        {!hits && !error && <Spinner label={t('faqs.search.searching')} />}
      </p>
      {error && <LoadFailed error={error} onRetry={onRetry} />}
      {hits?.length === 0 && <EmptyState text={t('faqs.search.nothing')} />}
      <ul className="faq-hits">
        {hits?.map((hit) => (
          <li key={hit.id}>
            <Link to={linkTo(hit)}>
              <Marked text={text}>{hit.title}</Marked>
            </Link>
            <div className="faq-hit-path">{[t(`faqs.models.${hit.kind}`), ...pathOf(hit)].join(' › ')}</div>
            {hit.excerpt !== '' && (
              <p>
                <Marked text={text}>{hit.excerpt}</Marked>
              </p>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The names of what it is in. */
function pathOf({ kind, faqName, sectionName }: FaqHit): string[] {
  if (kind === 'faq') return [];
  return kind === 'question' && sectionName !== null ? [faqName, sectionName] : [faqName];
}

/** Marks where the text was found, whatever its case. */
function Marked({ text, children }: { text: string; children: string }) {
  const at = children.toLowerCase().indexOf(text.toLowerCase());
  if (at < 0) return children;
  const end = at + text.length;
  return (
    <>
      {children.slice(0, at)}
      <mark>{children.slice(at, end)}</mark>
      {children.slice(end)}
    </>
  );
}
