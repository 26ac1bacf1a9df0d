import { useCallback } from 'react';
import { useUploadFaqImageMutation } from '../../../api/faqs.ts';
import { errorText } from '../../../api/http/answer-errors.ts';
import type { UploadPicture } from '../../../components/rich-text/rich-text-control.ts';

/** Stores the pictures of FAQ content. */
export function useUploadPicture(): UploadPicture {
  const [upload] = useUploadFaqImageMutation();
  return useCallback(
    async (file) => {
      const { data, error } = await upload({ file, onProgress: () => {} });
      return data?.result ?? { failure: errorText(error ?? {}) };
    },
    [upload],
  );
}
