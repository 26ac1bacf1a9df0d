import { isRecord } from './is-record.ts';

/** What a provider has answered in a tab of its own: a code, or an error. */
export interface ProviderAnswer {
  state: string;
  code: string | null;
  iss: string | null;
}

const CHANNEL = 'apotheca-provider-answers';

/** Hands a provider's answer to the tab that has asked. Others have not kept what it is worth nothing without. */
export function tellAnswer(answer: ProviderAnswer): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(answer);
  channel.close();
}

/** Listens for the answers that other tabs get. @returns how to stop */
export function onAnswer(listener: (answer: ProviderAnswer) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: { data: unknown }) => {
    if (!isRecord(data) || typeof data.state !== 'string') return;
    const { state, code, iss } = data;
    listener({ state, code: typeof code === 'string' ? code : null, iss: typeof iss === 'string' ? iss : null });
  };
  return () => channel.close();
}
