import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { makeDestinations } from './destinations.ts';

const refusal = (url: string, allowed: string[] = []) => makeDestinations(allowed).refusalOf(new URL(url));

/** What a connection to a name gets, whose addresses are these. */
function connect(addresses: string[], allowed: string[] = [], all = true): Promise<unknown> {
  const found = addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }));
  const { lookup } = makeDestinations(allowed, (_host, _options, done) => done(null, found));
  return new Promise((fulfil, reject) =>
    lookup('hooks.clinic.test', { all }, (error, address) => (error ? reject(error) : fulfil(address))),
  );
}

const INSIDE = [
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::127.0.0.1',
  '::ffff:10.0.0.1',
  'fd00:ec2::254',
  'fe80::1',
  '64:ff9b::a00:1',
  '2002:a00:1::',
];

describe('the destination of a webhook', () => {
  it.each(INSIDE)('is not %s, written down or found by its name [DECISIONS §13]', async (address) => {
    const host = address.includes(':') ? `[${address}]` : address;
    expect(refusal(`https://${host}/`)).toMatch(/is not on the public internet\. .*APOTHECA_WEBHOOK_HOSTS/);
    await expect(connect([address])).rejects.toThrow('hooks.clinic.test is not on the public internet.');
  });

  it.each(['0x7f000001', '2130706433', '127.1', '0177.0.0.1', '127.0.0.1.'])(
    'is not this machine as %s writes it [DECISIONS §13]',
    (host) => {
      expect(refusal(`https://${host}/`)).toMatch(/is not on the public internet/);
    },
  );

  it('is one of the public internet over TLS, and of several addresses those that are [DECISIONS §13]', async () => {
    expect(refusal('https://hooks.clinic.test/in')).toBeUndefined();
    expect(refusal('https://8.8.8.8/in')).toBeUndefined();
    expect(refusal('http://hooks.clinic.test/in')).toBe('Address must begin with https://');
    expect(await connect(['10.0.0.1', '8.8.8.8', '2606:4700::1'])).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ]);
    expect(await connect(['10.0.0.1', '8.8.8.8'], [], false)).toBe('8.8.8.8');
  });

  it('is what the setting names: hosts, addresses and ranges [DECISIONS §13]', async () => {
    expect(refusal('http://127.0.0.1:3000/', ['127.0.0.0/8'])).toBeUndefined();
    expect(refusal('http://127.0.0.1:3000/', ['10.0.0.0/8'])).toBeDefined();
    expect(refusal('http://Hooks.clinic.test./', ['hooks.Clinic.test'])).toBeUndefined();
    await expect(connect(['10.0.0.1'], ['HOOKS.clinic.test'])).resolves.toHaveLength(1);
    await expect(connect(['10.0.0.1'], ['10.0.0.0/8'])).resolves.toHaveLength(1);
    await expect(connect(['10.0.0.1'], ['clinic.test', '192.168.0.0/16'])).rejects.toThrow();
  });
});
