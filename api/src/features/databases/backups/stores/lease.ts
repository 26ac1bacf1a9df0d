/** After how many seconds without a sign of its server process a copy is given to another one. */
export const LEASE = 60;

/**
 * Renews a lease until it ends.
 * @param renew @returns whether what is leased is still this process's
 * @param lease in seconds
 * @returns `lost` is aborted when it is no longer
 */
export function holdLease(renew: () => Promise<boolean>, lease: number): { lost: AbortSignal; end(): void } {
  const lost = new AbortController();
  const timer = setInterval(
    async () => {
      // While PostgreSQL is away nobody else can take the copy either.
      const isMine = await renew().catch(() => true);
      if (!isMine) lost.abort(new Error('The copy belongs to another server process, or is to be removed.'));
    },
    (lease * 1000) / 4,
  );
  return { lost: lost.signal, end: () => clearInterval(timer) };
}
