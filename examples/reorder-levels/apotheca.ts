/** Apotheca could not be asked, or did not give what was asked for. */
export class ApothecaError extends Error {
  override name = 'ApothecaError';
}

/** Reads from Apotheca's API with an API key. */
export class Apotheca {
  readonly #url: string;
  readonly #key: string;
  /** The newest answer of each path, with its ETag. */
  readonly #answers = new Map<string, { etag: string | null; result: unknown }>();

  /** @param url where Apotheca is, as `https://console.example.com` */
  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  /**
   * Gets the `result` of an answer. What has not changed is not sent again (RFC 9110 §13.1.2), and while Apotheca is away the newest
   * answer still counts: a clinic goes on working.
   * @param path with its query, as `/api/tenant/resolve?code=NORTH`
   * @throws ApothecaError if Apotheca refuses, or is away and never answered
   */
  async get<T>(path: string): Promise<T> {
    const known = this.#answers.get(path);
    const headers = { authorization: `Bearer ${this.#key}`, ...(known?.etag && { 'if-none-match': known.etag }) };
    const response = await fetch(this.#url + path, { headers, signal: AbortSignal.timeout(10_000) }).catch(
      () => undefined,
    );
    const isAway = !response || response.status >= 500;
    if (known && (isAway || response.status === 304)) return known.result as T;
    if (isAway) throw new ApothecaError('Apotheca cannot be reached');
    const { message, result } = (await response.json()) as { message: string; result: T };
    if (!response.ok) throw new ApothecaError(message);
    this.#answers.set(path, { etag: response.headers.get('etag'), result });
    return result;
  }
}
