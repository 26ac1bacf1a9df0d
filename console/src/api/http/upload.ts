import type { BaseQueryApi } from '@reduxjs/toolkit/query';
import { type ApiError, clientError, toApiError } from '../../transport/api-error.ts';
import { type Call, type Outcome, toReply, traceHeader, urlOf } from '../../transport/transport.ts';
import { getToken } from './base-query.ts';
import { withProof } from './proof.ts';

/** A file to send. */
export interface Upload {
  file: Blob;
  /** Called during the transfer with the number of bytes sent. */
  onProgress: (sent: number) => void;
}

/** Sends a file to an upload route; aborting the call stops the transfer. */
export const upload = (call: Call, file: Upload, context: BaseQueryApi): Promise<Outcome> =>
  withProof(call, context, () => transfer(call, file, context));

/** Uses XMLHttpRequest, as fetch tells no progress. */
async function transfer(call: Call, { file, onProgress }: Upload, context: BaseQueryApi): Promise<Outcome> {
  const allowed = await getToken(context.dispatch);
  if ('error' in allowed) return allowed;
  // Aborted while the token was refreshed: the event of that is over.
  if (context.signal.aborted) return { error: clientError('FETCH_ERROR') };
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const request = new XMLHttpRequest();
  request.open(call.route.method, urlOf(call));
  request.setRequestHeader('authorization', `Bearer ${allowed.token}`);
  request.setRequestHeader('content-type', 'application/octet-stream');
  for (const [name, value] of Object.entries(traceHeader())) request.setRequestHeader(name, value);
  request.upload.onprogress = ({ loaded }) => onProgress(loaded);
  request.onload = () => resolve(outcomeOf(request, call.needs));
  request.onerror = () => resolve({ error: clientError('FETCH_ERROR') });
  request.onabort = request.onerror;
  context.signal.addEventListener('abort', () => request.abort());
  request.send(file);
  return promise;
}

async function outcomeOf({ status, responseText }: XMLHttpRequest, needs: Call['needs']): Promise<Outcome> {
  const data = parse(responseText);
  const error: ApiError | undefined = status < 300 ? undefined : toApiError({ status, data });
  return error ? { error } : toReply(data, needs);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
