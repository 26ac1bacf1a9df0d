import type { BaseQueryApi } from '@reduxjs/toolkit/query';
import { saveFile } from '../../lib/save-file.ts';
import { type ApiError, clientError, toApiError } from '../../transport/api-error.ts';
import { type Call, traceHeader, urlOf } from '../../transport/transport.ts';
import { getToken } from './base-query.ts';
import { withProof } from './proof.ts';

type Downloaded = { data: null; error?: undefined } | { error: ApiError };

/**
 * Takes a file from a download route and lets the browser save it. A plain link cannot: it carries no token.
 * @param name name of the saved file
 */
export const download = (call: Call, name: string, context: BaseQueryApi): Promise<Downloaded> =>
  withProof(call, context, () => fetchFile(call, name, context));

async function fetchFile(call: Call, name: string, context: BaseQueryApi): Promise<Downloaded> {
  const allowed = await getToken(context.dispatch);
  if ('error' in allowed) return allowed;
  try {
    const headers = { authorization: `Bearer ${allowed.token}`, ...traceHeader() };
    const response = await fetch(urlOf(call), { headers, cache: 'no-store', signal: context.signal });
    if (!response.ok) return { error: await errorOf(response) };
    saveFile(name, await response.blob());
    return { data: null };
  } catch {
    return { error: clientError('FETCH_ERROR') };
  }
}

async function errorOf(response: Response): Promise<ApiError> {
  const data: unknown = await response.json().catch(() => undefined);
  return toApiError({ status: response.status, data });
}
