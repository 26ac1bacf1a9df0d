import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useBeginProviderProofMutation, useProveByProviderMutation } from '../../../api/account.ts';
import { newBrowserSecret } from '../../../lib/browser-secret.ts';
import { onAnswer, type ProviderAnswer } from '../../../lib/provider-answers.ts';

/** What is kept here while the person is at the provider. */
interface Asked {
  provider: string;
  verifier: string;
  state: string;
}

/** How it stands with the other tab: the person is there, the browser has blocked it, or it was left without a code. */
export type ProviderTab = 'away' | 'blocked' | 'refused';

type Outcome = { error?: unknown } | undefined;

/**
 * Proves by the provider, in a tab of its own, as what waits for the proof is lost with this page. The other tab hands the answer over.
 * @param attempt runs what proves, and takes what came of it
 */
export function useProveByProvider(attempt: (work: () => Promise<Outcome>) => unknown) {
  const [begin] = useBeginProviderProofMutation();
  const [prove] = useProveByProviderMutation();
  const asked = useRef<Asked>(undefined);
  const [tabState, setTabState] = useState<ProviderTab>();

  const ask = async (provider: string): Promise<Outcome> => {
    // At once: later it is not the click that opens it, and browsers block that.
    const tab = window.open('', '_blank');
    if (!tab) {
      setTabState('blocked');
      return undefined;
    }
    const { verifier, challenge } = await newBrowserSecret();
    const begun = await begin({ challenge });
    const url = begun.data?.result?.url;
    if (url === undefined) {
      tab.close();
      return { error: begun.error };
    }
    asked.current = { provider, verifier, state: new URL(url).searchParams.get('state') ?? '' };
    tab.location.replace(url);
    setTabState('away');
    return undefined;
  };

  const take = useEffectEvent(({ state, code, iss }: ProviderAnswer) => {
    const question = asked.current;
    // Of another question, or of another tab's.
    if (question?.state !== state) return;
    asked.current = undefined;
    setTabState(code === null ? 'refused' : undefined);
    const { provider, verifier } = question;
    if (code !== null) attempt(() => prove({ provider, verifier, code, state, iss }));
  });
  useEffect(() => onAnswer((answer) => take(answer)), []);

  return { tabState, ask };
}
