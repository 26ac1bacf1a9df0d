import type { StorePlace } from '../../../../backup-stores.ts';
import type { BackupStore } from './backup-store.ts';
import { fileStore } from './file-store.ts';
import { s3Store } from './s3-store.ts';

const stores = new WeakMap<StorePlace, BackupStore>();

/** The store at a place; the same one each time, as it keeps connections. */
export function storeAt(place: StorePlace): BackupStore {
  const store = stores.get(place) ?? (place.kind === 'file' ? fileStore(place) : s3Store(place));
  stores.set(place, store);
  return store;
}
