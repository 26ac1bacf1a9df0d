import { go, type KeyResult, type SnapshotKey, snapshot } from 'fuzzysort';
import { type Entry, type Group, onRecord } from './entry.ts';

/** Entries of a group below this score have little in common with what was typed; 1 is the very text. */
const SIMILAR = 0.3;
/** From this score on a recent entry stands before all others. */
const GOOD = 0.5;

/** The entries of one group, ready to be searched. */
export interface Searchable {
  group: Group;
  entries: readonly Entry[];
  prepared: SnapshotKey<Entry>;
}

/** An entry that is shown. */
export interface Found {
  entry: Entry;
  /** How like it is to what was typed; 1 is the very text. */
  score: number;
  /** Where the letters that were typed stand in the title, followed by a space and the detail. */
  matching: readonly number[];
}

/** The entries shown under one heading, and how many there would be. */
export interface FoundGroup {
  group: Group | 'recent';
  found: readonly Found[];
  total: number;
}

/** The searched text of an entry. One text is searched several times as fast as two. */
const key = ({ title, detail }: Entry): string => `${title} ${detail}`;

/** Prepares entries. What takes time is done now, not while somebody types. */
export function searchable(group: Group, entries: readonly Entry[]): Searchable {
  const prepared = snapshot(entries, { key });
  go('e', prepared, { limit: 1 });
  return { group, entries, prepared };
}

interface Narrowing {
  typed: string;
  /** The ids of entries that were chosen before, the newest first. */
  recent: readonly string[];
  /** How many entries of a group are shown. */
  most: number;
  /** Whether records are shown although nothing is typed. */
  showsAll: boolean;
}

/**
 * What is shown for a typed text: recent entries first, then the groups by their best match. Where nothing is typed, the groups as
 * they come, without records.
 */
export function search(groups: readonly Searchable[], { typed, recent, most, showsAll }: Narrowing): FoundGroup[] {
  const text = typed.trim();
  const recents = recentEntries(groups, recent);
  const ids = new Set(recents.map(({ id }) => id));
  if (text === '') {
    const shown = groups.filter(({ group }) => showsAll || group === 'screens' || group === 'actions');
    return [
      asGroup('recent', recents.map(asFound), recents.length),
      ...shown.map(({ group, entries }) => {
        const others = entries.filter(({ id }) => !ids.has(id));
        return asGroup(group, others.slice(0, showsAll ? most : undefined).map(asFound), others.length);
      }),
    ].filter(isFilled);
  }
  const before = go(text, recents, { key, limit: 0, threshold: GOOD }).map(asMatch);
  const taken = new Set(before.map(({ entry }) => entry.id));
  const deeds = deedsOn(groups, text).filter(({ entry }) => !taken.has(entry.id));
  const found = groups.map(({ group, prepared }) => {
    const results = go(text, prepared, { limit: most + taken.size, threshold: SIMILAR });
    const others = results.filter(({ obj }) => !taken.has(obj.id));
    const shownBefore = before.filter(({ entry }) => entry.group === group);
    const more = group === 'actions' ? deeds : [];
    const inOrder = [...others.map(asMatch), ...more].toSorted((a, b) => b.score - a.score);
    return asGroup(group, inOrder.slice(0, most), results.total - shownBefore.length + more.length);
  });
  return [asGroup('recent', before, before.length), ...found.toSorted((a, b) => best(b) - best(a))].filter(isFilled);
}

/** As many words may name a deed, as 'back up database'; of so many deeds records are searched, and so many records of each are found. */
const DEED = { words: 3, deeds: 3, records: 2 };

/** Actions on a record where what is typed begins with the deed and goes on with the record, as 'edit cedar'. */
function deedsOn(groups: readonly Searchable[], text: string): Found[] {
  const actions = groups.find(({ group }) => group === 'actions');
  const words = text.split(/\s+/);
  if (!actions || words.length === 1) return [];
  const found = new Map<string, Found>();
  for (let count = 1; count <= Math.min(DEED.words, words.length - 1); count += 1) {
    const named = go(words.slice(0, count).join(' '), actions.prepared, { limit: 0, threshold: GOOD });
    const onRecords = named.filter(({ obj }) => 'pick' in obj.choose()).slice(0, DEED.deeds);
    for (const { obj: action, score } of onRecords) {
      const choice = action.choose();
      const records = groups.find(({ group }) => 'pick' in choice && group === choice.pick);
      if (!records) continue;
      const like = { limit: DEED.records, threshold: GOOD };
      for (const { obj: record, score: alike } of go(words.slice(count).join(' '), records.prepared, like)) {
        const entry = onRecord(action, record);
        found.set(entry.id, { entry, score: Math.min(score, alike), matching: [] });
      }
    }
  }
  return [...found.values()];
}

/** The recent entries that there are, in the order of their choice. */
function recentEntries(groups: readonly Searchable[], recent: readonly string[]): Entry[] {
  const wanted = new Set(recent.flatMap((id) => id.split('+')));
  const known = new Map<string, Entry>();
  for (const { entries } of groups) for (const entry of entries) if (wanted.has(entry.id)) known.set(entry.id, entry);
  return recent.flatMap((id) => {
    const [first, record] = id.split('+').map((part) => known.get(part));
    if (!id.includes('+')) return first ?? [];
    return first && record ? onRecord(first, record) : [];
  });
}

const asFound = (entry: Entry): Found => ({ entry, score: 0, matching: [] });
const asMatch = ({ obj, score, indexes }: KeyResult<Entry>): Found => ({ entry: obj, score, matching: indexes });
const asGroup = (group: FoundGroup['group'], found: readonly Found[], total: number): FoundGroup => ({
  group,
  found,
  total,
});
const isFilled = ({ found }: FoundGroup) => found.length > 0;
/** Groups that are as good as each other but for a hundredth keep their order. */
const best = ({ found }: FoundGroup): number => Math.round(100 * (found[0]?.score ?? 0));
