import { PICTURE_TYPES } from '@apotheca/contract/rich-text';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OneFieldBar } from './one-field-bar.tsx';
import type { Picture, UploadPicture } from './rich-text-control.ts';
import type { BarPicture } from './use-picture-bar.ts';

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
  // A picture that was refused leaves nothing to apply but its description.
  const isUnapplied = 'alt' in picture ? alt.trim() !== picture.alt : failure === undefined || alt.trim() !== '';
  return (
    <OneFieldBar
      title={t('components.richText.picture.title')}
      label={t('components.richText.picture.describe')}
      field={{ placeholder: t('components.richText.picture.describe'), value: alt }}
      onType={setAlt}
      applyText={t('components.richText.picture.apply')}
      onApply={() => onApply(alt.trim(), image)}
      hint={failure ?? ('file' in picture && !image && t('components.richText.picture.uploading'))}
      {...{ isReady, isUnapplied, onClose }}
    />
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
