import { createHash } from 'node:crypto';
import type { Context } from '../../../context.ts';
import { type JsonList, selectJsonList } from '../../../db/json-list.ts';
import { makeVersionReader } from '../../../db/table-versions.ts';
import { AppError } from '../../../errors.ts';
import { COMPRESSED_FROM, type Coding, compress } from '../../../plugins/content-coding.ts';
import { type Body, ListCache } from '../../../plugins/list-cache.ts';
import { modulesOfTenant } from '../../permissions/tenant-permissions.service.ts';
import { minuteOf } from '../faq-period.ts';
import type { PublicContent, PublicFaq } from './public-content.ts';
import { PUBLIC_TABLES, publicContent, publicFaqs } from './public-faqs.repository.ts';

/** Bytes of pages, and of what they are made of, that a server process keeps. */
const KEPT_BYTES = 16 * 1024 * 1024;

/** What a page is made of. */
type Content = PublicContent | readonly PublicFaq[];
interface KeptContent<Made extends Content = Content> extends Body {
  content: Made;
}
interface Page extends Body {
  /** Names the page's bytes: it stays the same in a minute in which nothing changes for readers. */
  tag: string;
}

/** Who asks. */
export interface Asked {
  /** The code of the reader's tenant; absent: none. */
  tenant?: string | undefined;
}

/**
 * The public pages (decision 056). What readers see depends on what is written, on the minute and on the modules of their tenant. Whoever
 * asks has the version of the tables read after they asked; memory answers for that version and for that minute only.
 */
export function openPublicPages(context: Context) {
  const { pool } = context;
  const contents = new ListCache<KeptContent>(KEPT_BYTES);
  const pages = new ListCache<Page>(KEPT_BYTES);
  const readVersion = makeVersionReader(pool, PUBLIC_TABLES);

  async function read(list: JsonList, minute: string): Promise<KeptContent> {
    const { json, version } = await selectJsonList(pool, list, PUBLIC_TABLES);
    return { etag: labelOf(version, minute), bytes: Buffer.from(json), content: JSON.parse(json) };
  }

  /** @param faq absent: all of them */
  async function find(faq: string | undefined, { tenant }: Asked) {
    const minute = minuteOf(context.now());
    const [version, modules] = await Promise.all([readVersion(), tenant ? modulesOfTenant(context, tenant) : []]);
    const reader = { minute, modules };
    const label = labelOf(version, minute);
    const key = JSON.stringify([faq ?? null, modules]);
    return {
      label,
      key,
      content: () =>
        contents.get(key, label, async () => {
          if (faq === undefined) return read(publicFaqs(reader), minute);
          const found = await read(publicContent(reader, faq), minute);
          const [content] = found.content as readonly PublicContent[];
          if (!content) throw new AppError('not-found', { message: 'There is no such page.' });
          return { ...found, content };
        }),
    };
  }

  /** A page from memory, or made of its content. @throws AppError not-found where a reader does not see the FAQ */
  async function page<Made extends Content>(
    kind: string,
    faq: string | undefined,
    asked: Asked,
    { coding, make }: { coding: Coding | undefined; make: (content: Made) => string },
  ): Promise<Page> {
    const { label, key, content } = await find(faq, asked);
    // As JSON, so that no tenant's code can look like a coding. Links name the tenant.
    const keyIn = (form?: Coding) => JSON.stringify([kind, key, asked.tenant, form]);
    const plain = () =>
      pages.get(keyIn(), label, async () => {
        const made = await content();
        const bytes = Buffer.from(make(made.content as Made));
        const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
        return { etag: made.etag, bytes, tag: `W/"${tag}"` };
      });
    if (!coding) return plain();
    return pages.get(keyIn(coding), label, async () => {
      const made = await plain();
      if (made.bytes.length < COMPRESSED_FROM) return made;
      return { ...made, bytes: await compress(made.bytes, coding), encoding: coding };
    });
  }

  return {
    page,
    /** All that a reader sees of an FAQ. @throws AppError not-found */
    content: async (faq: string, asked: Asked): Promise<PublicContent> =>
      (await (await find(faq, asked)).content()).content as PublicContent,
  };
}

const labelOf = (version: string, minute: string): string => `${version} ${minute}`;
