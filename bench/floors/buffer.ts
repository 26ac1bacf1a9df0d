// The least that an answer costs: bytes that are ready, as they are or compressed, or the word that nothing has changed.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { JSON_TYPE, listen } from './listen.ts';

const ETAG = '"1"';
const body = readFileSync(process.env.BODY_FILE ?? '');
const compressed = gzipSync(body);

listen(({ headers }, response) => {
  response.setHeader('etag', ETAG);
  if (headers['if-none-match'] === ETAG) {
    response.statusCode = 304;
    response.end();
    return;
  }
  const isCompressed = headers['accept-encoding']?.includes('gzip');
  if (isCompressed) response.setHeader('content-encoding', 'gzip');
  response.setHeader('content-type', JSON_TYPE);
  response.end(isCompressed ? compressed : body);
});
