import { useTranslation } from 'react-i18next';
import { useNotLoaded } from '../../components/toast/use-not-loaded.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { useGuide } from './guide-provider.tsx';

export const GUIDE_PANEL_ID = 'guide-panel';

const usePanel = lazyPart(async () => (await import('./guide-panel.tsx')).GuidePanel);

/** Where the guide stands beside the screen. Its code and texts are loaded once it is opened. */
export function GuideHost() {
  const { shown } = useGuide();
  return shown && <OpenGuide />;
}

function OpenGuide() {
  const { t } = useTranslation();
  const { shown = {}, show, close, makeRoom } = useGuide();
  const { value: Panel, isError } = usePanel();
  useNotLoaded(isError, t('help.notLoaded'), close);
  // The button that opens it names what it controls.
  if (!Panel) return <span id={GUIDE_PANEL_ID} hidden />;
  return <Panel id={GUIDE_PANEL_ID} shown={shown} onShow={show} onScreen={makeRoom} onClose={close} />;
}
