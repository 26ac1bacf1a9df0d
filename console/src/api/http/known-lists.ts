import { type BaseQueryApi, copyWithStructuralSharing } from '@reduxjs/toolkit/query';
import { inTurns } from '../../lib/in-turns.ts';
import { isRecord } from '../../lib/is-record.ts';
import { readSession, type SessionDispatch, type SessionThunk } from '../../session/session-slice.ts';
import { type Call, type KnownReply, type Outcome, type Reply, send, urlOf } from '../../transport/transport.ts';

/** The answers that are kept of a call: its orders, or the sections of several FAQs. */
const KEPT_OF_A_CALL = 4;

const FORBIDDEN = 403;

/** The newest answers of a call by their address, the one that was used last at the end. */
type KnownReplies = Map<string, KnownReply>;

/** The lists that were read in a session, by their call. */
interface KnownLists {
  refreshToken: string;
  byPath: Map<string, KnownReplies>;
}

/** The store's own dispatch is the key, as each tab has one. */
const knownLists = new WeakMap<object, KnownLists>();

/** Forgets all lists: their user is gone. What is under way is not kept either. */
export const forgetLists = (): SessionThunk<void> => (dispatch) => {
  knownLists.delete(dispatch);
};

/**
 * Makes a call. A list that the server has sent before is asked for with its version, and is the same object again if
 * it has not changed; if it has, the rows that are equal to earlier ones are those.
 */
export async function sendOrRecall(call: Call, token: string, context: BaseQueryApi): Promise<Outcome> {
  if (!call.route.list) return send(call, token, context);
  const replies = repliesOf(context.dispatch, call.route.path);
  const url = urlOf(call);
  const known = replies.get(url);
  const outcome = await send({ ...call, known }, token, context);
  if (outcome.error?.status === FORBIDDEN) replies.clear();
  if (!outcome.data) return outcome;
  const latest = [...replies.values()].at(-1);
  const isNew = outcome.data !== known?.reply;
  const data = isNew ? await withEarlierRows(outcome.data, latest?.reply) : outcome.data;
  const etag = outcome.meta?.etag;
  replies.delete(url);
  if (etag) replies.set(url, { etag, reply: data });
  for (const oldest of [...replies.keys()].slice(0, -KEPT_OF_A_CALL)) replies.delete(oldest);
  return { data };
}

/** The known answers of a call. Those of another session are none, even before they are forgotten. */
function repliesOf(dispatch: SessionDispatch, path: string): KnownReplies {
  const { refreshToken } = dispatch(readSession());
  let known = knownLists.get(dispatch);
  if (known?.refreshToken !== refreshToken) {
    known = { refreshToken, byPath: new Map() };
    knownLists.set(dispatch, known);
  }
  const replies: KnownReplies = known.byPath.get(path) ?? new Map();
  known.byPath.set(path, replies);
  return replies;
}

/** The reply with the rows of an earlier one where they are equal: what is made of them is then made already. */
async function withEarlierRows(reply: Reply, earlier: Reply | undefined): Promise<Reply> {
  const rows = rowsOf(reply.result);
  const known = new Map(rowsOf(earlier?.result).map((row) => [row.id, row]));
  await inTurns(rows.entries(), ([index, row]) => {
    rows[index] = copyWithStructuralSharing(known.get(row.id), row);
  });
  // Immer freezes what it is given, and visits each value of 10,000 rows for that unless it finds it frozen.
  Object.freeze(rows);
  return reply;
}

/** The rows of a list: the result, or its one field. */
function rowsOf(result: unknown): Record<string, unknown>[] {
  const rows = isRecord(result) ? Object.values(result)[0] : result;
  return Array.isArray(rows) ? rows : [];
}
