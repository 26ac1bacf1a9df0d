import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useLocation } from 'react-router';
import { answerProof, selectProofPurposes } from '../api/http/proof.ts';
import { useNotLoaded } from '../components/toast/use-not-loaded.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { selectSession } from '../session/session-slice.ts';
import { useAppDispatch, useAppSelector } from './state/store.ts';

const useProofDialog = lazyPart(async () => (await import('../features/account/proof/proof-dialog.tsx')).ProofDialog);

/**
 * Asks for a proof of who is signed in, while calls wait for one. With the page or the session that they belong to, the
 * question goes too.
 */
export function ProofHost() {
  const dispatch = useAppDispatch();
  const { pathname } = useLocation();
  const { id } = useAppSelector(selectSession);
  const isWanted = useSelector(selectProofPurposes).length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page or person ends the question
  useEffect(() => () => dispatch(answerProof(false)), [dispatch, pathname, id]);
  return isWanted && <Question />;
}

function Question() {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const purposes = useSelector(selectProofPurposes);
  const { value: ProofDialog, isError } = useProofDialog();
  useNotLoaded(isError, t('proof.notLoaded'), () => dispatch(answerProof(false)));
  return ProofDialog && <ProofDialog purposes={purposes} onAnswer={(isProved) => dispatch(answerProof(isProved))} />;
}
