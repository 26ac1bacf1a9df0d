import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button/button.tsx';
import { Modal } from '../../components/dialog/modal.tsx';
import { keyNames } from '../../lib/key-names.ts';
import { SHORTCUTS } from './shortcuts.ts';
import './palette.scss';

/** The sheet of keys: what each does, by where it counts. */
export function KeyboardSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const footer = (
    <Button variant="secondary" onClick={onClose}>
      {t('keyboard.close')}
    </Button>
  );
  return (
    <Modal show title={t('keyboard.title')} size="lg" footer={footer} isText onClose={onClose}>
      <div className="keyboard-sheet">
        {SHORTCUTS.map(({ where, keys }) => (
          <section key={where}>
            <h3>{t(`keyboard.where.${where}`)}</h3>
            <dl>
              {keys.map((shortcut) => (
                <div key={shortcut.what}>
                  <dt>{t(`keyboard.what.${shortcut.what}`)}</dt>
                  <dd>
                    <Keys ways={shortcut.keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}

/** @param ways any of them does it */
function Keys({ ways }: { ways: readonly string[] }) {
  const { t } = useTranslation();
  return ways.map((way, index) => (
    <Fragment key={way}>
      {index > 0 && ` ${t('keyboard.or')} `}
      {keyNames(way, t).map((key, place) => (
        <Fragment key={key}>
          {place > 0 && ' + '}
          <kbd>{key}</kbd>
        </Fragment>
      ))}
    </Fragment>
  ));
}
