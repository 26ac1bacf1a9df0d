import { rewriteMessages } from '../locales/messages.ts';
import { zonedMinute } from './moment.ts';

/** A moment in a message of the server, which does not know the zone of who reads it. */
const MOMENT = /\b(\d{4}-\d\d-\d\d) (\d\d:\d\d)(?::\d\d)? UTC\b/g;

rewriteMessages((text) =>
  text.replace(MOMENT, (_moment, day: string, minute: string) => zonedMinute(new Date(`${day}T${minute}Z`))),
);
