import { z } from 'zod';
import { chosenTypes, EVENT_TYPES } from './events.ts';
import { route } from './route.ts';
import { requiredText } from './text.ts';

/** `at-once`: a mail as things happen, every five minutes at most. `daily`: one mail a day. */
export const ALERT_MODES = ['at-once', 'daily'] as const;
export type AlertMode = (typeof ALERT_MODES)[number];

const HOUR_INVALID = 'Hour should be a whole number from 0 to 23';

/** Of what the signed-in person is told by mail; of nothing where no event is chosen. */
export const alertsForm = z.object({
  eventTypes: chosenTypes,
  mode: z.enum(ALERT_MODES, { error: 'Mode is required' }),
  /** Of daily mails, in the time zone. */
  hour: z.int({ error: HOUR_INVALID }).min(0, HOUR_INVALID).max(23, HOUR_INVALID),
  timezoneId: requiredText(100, 'Time zone is required', 'Time zone should not be more than 100 characters'),
});
export type AlertsForm = z.output<typeof alertsForm>;

const eventTypes = z.array(z.enum(EVENT_TYPES));

export const alerts = alertsForm.extend({
  eventTypes,
  /** What the person may choose: what their role lets them see. */
  offered: eventTypes,
  /** Where mails go; empty: the person has no address. */
  email: z.string(),
  /** Whether the server sends mails. */
  mailsAreSent: z.boolean(),
});
export type Alerts = z.infer<typeof alerts>;

export const alertRoutes = {
  get: route({
    feature: 'webhooks',
    summary: 'Of what the signed-in person is told by mail, and what they may choose',
    base: 'api',
    method: 'GET',
    path: '/account/alerts',
    permission: 'signed-in',
    result: alerts,
  }),
  edit: route({
    feature: 'webhooks',
    summary: 'Change of what the signed-in person is told by mail',
    base: 'api',
    method: 'PUT',
    path: '/account/editalerts',
    permission: 'signed-in',
    body: alertsForm,
    result: alerts,
  }),
};
