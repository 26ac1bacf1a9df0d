/** The body of a call as it is sent: a buffer is a file, everything else is JSON. */
export const payloadOf = (body: unknown): Buffer<ArrayBuffer> | string =>
  body instanceof Buffer ? Buffer.from(body) : JSON.stringify(body);

export const typeOf = (body: unknown): string =>
  body instanceof Buffer ? 'application/octet-stream' : 'application/json';
