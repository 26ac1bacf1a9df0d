import type { Trx } from '../../db/platform.ts';
import { isOpen, type OpenAt } from './sessions.repository.ts';

/** Locks an open sign-in until the transaction ends. @returns whether it is open */
export async function lockOpenSignIn(trx: Trx, sessionId: string, openAt: OpenAt): Promise<boolean> {
  const open = await trx
    .selectFrom('sessions as s')
    .select('s.id')
    .where('s.id', '=', sessionId)
    .where('s.kind', '=', 'console')
    .where(isOpen(openAt))
    .forNoKeyUpdate()
    .executeTakeFirst();
  return open !== undefined;
}

/** Notes when the person of a sign-in, which is locked, has proved who they are. */
export async function setSessionProved(trx: Trx, sessionId: string, provedAt: Date): Promise<void> {
  await trx.updateTable('sessions').set({ provedAt }).where('id', '=', sessionId).execute();
}
