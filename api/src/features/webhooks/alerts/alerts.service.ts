import type { Alerts, AlertsForm } from '@apotheca/contract/alerts';
import { EVENT_KINDS, type EventType } from '@apotheca/contract/events';
import type { Actor, Caller } from '../../../actor.ts';
import { appendAudit, changedFields } from '../../../audit/audit.service.ts';
import type { Context } from '../../../context.ts';
import { postgresNow } from '../../../db/due-moments.ts';
import { fieldError } from '../../../errors.ts';
import { findNewestEntry } from '../events.repository.ts';
import {
  type AlertsRow,
  deleteAlerts,
  findAlerts,
  findReader,
  isKnownZone,
  nextDaily,
  saveAlerts,
} from './alerts.repository.ts';

const NONE: AlertsRow = { eventTypes: [], mode: 'at-once', hour: 7, timeZone: 'UTC' };

/** Of what the signed-in person is told, and what they may choose. */
export async function getAlerts({ platform, mail }: Context, { id }: Pick<Caller, 'id'>): Promise<Alerts> {
  const { eventTypes, mode, hour, timeZone } = (await findAlerts(platform, id)) ?? NONE;
  const { email, permissions } = await findReader(platform, id);
  const offered = offeredTo(permissions);
  return {
    eventTypes: offered.filter((type) => eventTypes.includes(type)),
    mode,
    hour,
    timezoneId: timeZone,
    offered,
    email,
    mailsAreSent: mail !== undefined,
  };
}

/** Changes of what the signed-in person is told; of nothing where no event is chosen. @throws AppError invalid for what they may not see, or an unknown time zone */
export async function editAlerts(context: Context, { id }: Caller, actor: Actor, form: AlertsForm): Promise<Alerts> {
  const { eventTypes, mode, hour, timezoneId: timeZone } = form;
  const offered = offeredTo((await findReader(context.platform, id)).permissions);
  if (!eventTypes.every((type) => offered.includes(type))) {
    throw fieldError('invalid', 'eventTypes', 'You do not have the permission to be told of all these events.');
  }
  await context.platform.transaction().execute(async (trx) => {
    const before = (await findAlerts(trx, id)) ?? NONE;
    if (eventTypes.length === 0) await deleteAlerts(trx, id);
    else {
      if (mode === 'daily' && !(await isKnownZone(trx, timeZone)))
        throw fieldError('invalid', 'timezoneId', 'This time zone is unknown.');
      const dueAt = mode === 'daily' ? nextDaily(hour, timeZone) : postgresNow;
      const entryCursor = await findNewestEntry(trx);
      await saveAlerts(trx, id, { eventTypes, mode, hour, timeZone, entryCursor, dueAt });
    }
    const changes = changedFields(
      { ...before, eventTypes: before.eventTypes.join(', ') },
      { eventTypes: eventTypes.join(', '), mode, hour, timeZone },
    );
    await appendAudit(context, trx, { actor, action: 'users.edit-alerts', entity: 'users', entityId: id, changes });
  });
  return getAlerts(context, { id });
}

/** The events that somebody with these permissions may be told of. */
export function offeredTo(permissions: readonly string[]): EventType[] {
  return EVENT_KINDS.filter(({ permission }) => permissions.includes(permission)).map(({ type }) => type);
}
