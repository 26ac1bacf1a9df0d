import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

/** Sets the title of the browser's tab: page first, product last. */
export function usePageTitle(title: string): void {
  const { t } = useTranslation();
  const product = t('main.product');
  useEffect(() => {
    document.title = title ? `${title} · ${product}` : product;
  }, [title, product]);
}
