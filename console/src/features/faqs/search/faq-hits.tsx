import type { FaqHit } from '@apotheca/contract/faqs';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Card } from '../../../components/display/card.tsx';
import { EmptyState } from '../../../components/notice/empty-state.tsx';
import { Spinner } from '../../../components/waiting/spinner.tsx';
import { LoadFailed } from '../../../operations/load-failed.tsx';

interface FaqHitsProps {
  /** The searched text. */
  text: string;
  /** Undefined until they are loaded. */
  hits: readonly FaqHit[] | undefined;
  error: { message?: string } | undefined;
  linkTo: (hit: FaqHit) => string;
  onRetry: () => void;
}

/** The server answers at most this many hits. */
const MAX_HITS = 100;

/** The hits of a search, each with its path, the words around the match, and a link. */
export function FaqHits({ text, hits, error, linkTo, onRetry }: FaqHitsProps) {
  const { t } = useTranslation();
  return (
    <Card title={t('faqs.search.title')} flush>
      <p className="faq-hits-count" role="status">
        {hits && t(hits.length < MAX_HITS ? 'faqs.search.count' : 'faqs.search.most', { count: hits.length })}
        {!hits && !error && <Spinner label={t('faqs.search.searching')} />}
      </p>
      {error && <LoadFailed error={error} onRetry={onRetry} />}
      {hits?.length === 0 && <EmptyState text={t('faqs.search.nothing')} hint={t('faqs.search.nothingHint')} />}
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

/** The names of the FAQ and the section that contain the hit. */
function pathOf({ kind, faqName, sectionName }: FaqHit): string[] {
  if (kind === 'faq') return [];
  return kind === 'question' && sectionName !== null ? [faqName, sectionName] : [faqName];
}

/** Marks the first match of the text, ignoring case. */
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
