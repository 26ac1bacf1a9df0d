type Keep = () => Promise<void>;

/** Keep what only this document has. */
const keepers = new Set<Keep>();

/** What is kept may wait for a key, and that for the end of a sign-in. */
const LONGEST_KEEPING_MS = 3000;

/** Has something kept before the console loads the document anew. @returns ends that */
export function keepBeforeReload(keep: Keep): () => void {
  keepers.add(keep);
  return () => void keepers.delete(keep);
}

/**
 * Loads the document anew, and with it what did not load: a browser may not ask again for a module that it could not load, and a newer
 * version has other files (decision 032). Without a server that would be an empty page: then nothing is done.
 */
export async function reloadDocument(): Promise<void> {
  if (!(await isServerThere())) return;
  const kept = Promise.all([...keepers].map((keep) => keep()));
  await Promise.race([kept, new Promise((resolve) => setTimeout(resolve, LONGEST_KEEPING_MS))]);
  window.location.reload();
}

const isServerThere = (): Promise<boolean> =>
  fetch('/config.json', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
