/** Random bytes in hexadecimal digits; unlike `crypto.randomUUID` also where the page came over plain HTTP. */
export const randomHex = (bytes: number): string =>
  [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
