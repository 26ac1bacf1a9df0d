import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { auditOutcome } from './auth-audit.ts';

/** How many refusals of a kind have an entry each when they come at once, and after how many seconds there is room for another. */
const AT_ONCE = 100;
const ROOM_EVERY_SECONDS = 60;
/** How many kinds are known at a time: of more, the one that did not occur for the longest time is forgotten. */
const MOST_KINDS = 10_000;

interface Noted {
  /** When there is room for {@link AT_ONCE} entries again, in milliseconds. */
  emptyAt: number;
  /** How many had no entry since the last one that had. */
  others: number;
}

/** What this process has noted, by the trail's key and by kind. */
const notedBy = new WeakMap<Uint8Array, Map<string, Noted>>();

/**
 * Notes in the audit trail what is refused to somebody who is not signed in, and is not limited by being counted. Entries stay, and all writes wait
 * for the head of the trail: so whoever repeats it without end gets a bounded number of entries, of which each says how many
 * `others` it stands for.
 * @param kind of refusals that count together: with the address, so that nobody's hide another's
 */
export async function auditRepeated(
  context: Context,
  kind: string,
  actor: Actor,
  action: string,
  changes: Record<string, unknown> = {},
): Promise<void> {
  const others = takeRoom(context, kind);
  if (others === undefined) return;
  await auditOutcome(context, actor, action, { ...changes, ...(others > 0 && { others }) });
}

/** Takes the room of an entry. @returns for how many other refusals it stands; undefined: there is no room */
function takeRoom({ keys, now }: Context, kind: string): number | undefined {
  const noted = notedBy.get(keys.audit) ?? new Map<string, Noted>();
  notedBy.set(keys.audit, noted);
  const at = now().getTime();
  const known = noted.get(kind) ?? { emptyAt: at, others: 0 };
  const { others } = known;
  const all = AT_ONCE * ROOM_EVERY_SECONDS * 1000;
  // What is further away was noted by a clock that was ahead: there would be no room for as long as that was.
  const emptyAt = known.emptyAt - at > all ? at : known.emptyAt;
  const next = Math.max(emptyAt, at) + ROOM_EVERY_SECONDS * 1000;
  const hasRoom = next - at <= all;
  // Deleted first, so that it is the last one in the order of the map.
  noted.delete(kind);
  noted.set(kind, hasRoom ? { emptyAt: next, others: 0 } : { emptyAt, others: others + 1 });
  const [oldest] = noted.keys();
  if (noted.size > MOST_KINDS && oldest !== undefined) noted.delete(oldest);
  return hasRoom ? others : undefined;
}
