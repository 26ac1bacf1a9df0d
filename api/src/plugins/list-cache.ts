import { LRUCache } from 'lru-cache';

/** The body of an answer. */
export interface Body {
  etag: string;
  bytes: Buffer;
  /** Content-Encoding; absent: the bytes are the text itself. */
  encoding?: string;
}

/** Keeps the newest bodies of lists, as many bytes of them as fit; what was not asked for longest goes first. */
export class ListCache<Kept extends Body = Body> {
  readonly #bodies: LRUCache<string, Kept>;
  readonly #building = new Map<string, Promise<Kept>>();
  /** How often a body was taken from memory, and how often one was made. */
  readonly uses = { kept: 0, built: 0 };

  /** @param maxBytes of all bodies */
  constructor(maxBytes: number) {
    this.#bodies = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes.length });
  }

  /** Bytes of the bodies that are kept. */
  get bytes(): number {
    return this.#bodies.calculatedSize;
  }

  /**
   * The body of a list that has this entity tag, or a newer one. Who asks for a body that is being made for the same tag shares it; one
   * that is being made for another tag may be older than the call.
   * @param key of the list and the encoding: one body is kept for it
   */
  get(key: string, etag: string, build: () => Promise<Kept>): Promise<Kept> {
    const kept = this.#bodies.get(key);
    if (kept?.etag === etag) {
      this.uses.kept += 1;
      return Promise.resolve(kept);
    }
    const building = `${key} ${etag}`;
    let body = this.#building.get(building);
    if (!body) {
      body = this.#build(key, build).finally(() => this.#building.delete(building));
      this.#building.set(building, body);
    }
    return body;
  }

  async #build(key: string, build: () => Promise<Kept>): Promise<Kept> {
    const body = await build();
    this.uses.built += 1;
    this.#bodies.set(key, body);
    return body;
  }
}
