import { PICTURE_TYPES } from '@apotheca/contract/rich-text';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../button/button.tsx';
import type { Picture, UploadPicture } from './rich-text-control.ts';

/** The picture to describe: a file that is uploaded first, or one that is in the text. */
export type BarPicture = { file: File } | { alt: string };

interface PictureBarProps {
  picture: BarPicture;
  upload: UploadPicture;
  /** @param image what was uploaded; undefined for a picture that is in the text */
  onApply: (alt: string, image: Picture | undefined) => void;
  onClose: () => void;
}

/** The field for the description of a picture, under the toolbar. Whoever does not see the picture is read it instead. */
export function PictureBar({ picture, upload, onApply, onClose }: PictureBarProps) {
  const { t } = useTranslation();
  const { image, failure } = useUpload(picture, upload);
  const [alt, setAlt] = useState('alt' in picture ? picture.alt : '');
  const isReady = alt.trim() !== '' && ('alt' in picture || image !== undefined);
  const apply = () => onApply(alt.trim(), image);

  function handleKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    // Enter and Escape here must not reach the form or the dialog.
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') onClose();
    else if (event.target instanceof HTMLInputElement && isReady) apply();
    else if (event.target instanceof HTMLButtonElement) event.target.click();
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame of its own into the form.
    <div
      className="rich-text-link"
      role="group"
      aria-label={t('components.richText.picture.title')}
      onKeyDown={handleKeyDown}
    >
      <input
        className="form-control"
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: whoever chose a picture goes on by describing it.
        autoFocus
        aria-label={t('components.richText.picture.describe')}
        placeholder={t('components.richText.picture.describe')}
        value={alt}
        onChange={(event) => setAlt(event.target.value)}
      />
      <Button size="small" disabled={!isReady} onClick={apply}>
        {t('components.richText.picture.apply')}
      </Button>
      <Button variant="secondary" size="small" onClick={onClose}>
        {t('components.cancel')}
      </Button>
      <span className="rich-text-link-hint" role="status">
        {failure ?? ('file' in picture && !image && t('components.richText.picture.uploading'))}
      </span>
    </div>
  );
}

function useUpload(picture: BarPicture, upload: UploadPicture) {
  const [state, setState] = useState<{ image?: Picture; failure?: string }>({});
  useEffect(() => {
    if (!('file' in picture)) return;
    let isGone = false;
    void upload(picture.file).then((outcome) => {
      if (!isGone) setState('failure' in outcome ? outcome : { image: outcome });
    });
    return () => {
      isGone = true;
    };
  }, [picture, upload]);
  return state;
}

/** The first of some files that can be a picture. */
export const pictureAmong = (files: FileList | null | undefined): File | undefined =>
  [...(files ?? [])].find(({ type }) => PICTURE_TYPES.includes(type));
