import { z } from 'zod';
import { count } from './fields.ts';
import { route } from './route.ts';

export const FAQ_IMAGE_LIMITS = {
  /** Of an uploaded file. */
  bytes: 5 * 1024 * 1024,
  pixels: 25_000_000,
  /** Most pictures of a person in a minute. */
  perMinute: 30,
  /** Pixels of the longer side of a stored picture. */
  side: 2_000,
} as const;

/** A stored picture, as rich text names it. */
export const faqImage = z.object({ src: z.string(), width: count, height: count });
export type FaqImage = z.infer<typeof faqImage>;

export const faqImageRoutes = {
  upload: route({
    feature: 'faqs',
    summary:
      'Store a picture (PNG, JPEG, WebP or GIF) for rich text; it is written anew as WebP, without anything but its pixels',
    base: 'api',
    method: 'POST',
    path: '/faqimage/upload',
    permission: 'faqs.write',
    upload: true,
    result: faqImage,
    errors: ['invalid'],
  }),
};
