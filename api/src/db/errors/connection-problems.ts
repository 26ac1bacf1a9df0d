/** What OpenSSL and Node.js call a certificate that no known authority has issued. */
const OF_STRANGERS = new Set([
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'INVALID_CA',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** What node-pg says where PostgreSQL has `ssl = off`. */
const NO_TLS = 'The server does not support SSL connections';

/** Why no encrypted connection to PostgreSQL was made, in words; undefined: for another reason. */
export function tlsProblem(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.message === NO_TLS) return 'it offers no TLS';
  const { code = '' } = error as { code?: string };
  if (OF_STRANGERS.has(code)) return `its certificate is not issued by a trusted CA (${code})`;
  if (code === 'CERT_HAS_EXPIRED') return 'its certificate has expired';
  if (code === 'CERT_NOT_YET_VALID') return 'its certificate is not valid yet';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return describeWrongName(error);
  return undefined;
}

/** @param error as tls.checkServerIdentity makes it */
function describeWrongName(error: Error & { host?: string; cert?: { subjectaltname?: string } }): string {
  const names = error.cert?.subjectaltname;
  return `its certificate is not for the host name ${error.host}${names ? `, but for ${names}` : ''}`;
}

/** Why PostgreSQL could not be reached, or did not do what it was asked. */
export function reasonOf(error: unknown): string {
  // A refused connection is an AggregateError without a message when a host name has several addresses.
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return tlsProblem(error) ?? (error instanceof Error ? error.message : String(error));
}
