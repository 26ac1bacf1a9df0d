import { recoveryRoutes } from '@apotheca/contract/recovery';
import type { BodyInput } from '@apotheca/contract/route';
import { type Outcome, send } from '../transport/transport.ts';
import { callContext } from './call-context.ts';
import type { SessionThunk } from './session-slice.ts';

/** Asks for a mail with a link to choose a new password. */
export const requestPasswordLink =
  (body: BodyInput<typeof recoveryRoutes.request>): SessionThunk<Promise<Outcome>> =>
  (dispatch, getState) =>
    send({ route: recoveryRoutes.request, body }, '', callContext('requestPasswordLink', dispatch, getState));

/** Chooses a new password with the token of such a link. */
export const recoverPassword =
  (body: BodyInput<typeof recoveryRoutes.recover>): SessionThunk<Promise<Outcome>> =>
  (dispatch, getState) =>
    send({ route: recoveryRoutes.recover, body }, '', callContext('recoverPassword', dispatch, getState));
