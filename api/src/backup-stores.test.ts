import { describe, expect, it } from 'vitest';
import { readStorePlaces } from './backup-stores.ts';
import { readConfig } from './config.ts';

const RECIPIENT = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p';
const readBoth = (stores: string, recipient = '') =>
  readConfig({ APOTHECA_BACKUP_STORES: stores, APOTHECA_BACKUP_RECIPIENT: recipient }).stores;

describe('APOTHECA_BACKUP_STORES', () => {
  it('names folders and buckets [DECISIONS §13]', () => {
    expect(
      readStorePlaces('file:/mnt/nas/apotheca/, s3://b/in/here?endpoint=https://s3.example.org:9000&region=eu-1'),
    ).toEqual([
      { kind: 'file', name: 'file:/mnt/nas/apotheca', path: '/mnt/nas/apotheca' },
      {
        kind: 's3',
        name: 's3://b/in/here at s3.example.org:9000',
        bucket: 'b',
        prefix: 'in/here/',
        endpoint: 'https://s3.example.org:9000/',
        region: 'eu-1',
      },
    ]);
    expect(readStorePlaces('s3://b?profile=backups')).toEqual([
      { kind: 's3', name: 's3://b', bucket: 'b', prefix: '', profile: 'backups' },
    ]);
  });

  it.each([
    ['s3://KEY1:HUSH@b/p', /^store 1 of APOTHECA_BACKUP_STORES has credentials in it: /],
    [
      'file:/a,s3://b?endpoint=https://KEY1:HUSH@host',
      /^the endpoint of store 2 of APOTHECA_BACKUP_STORES has credentials/,
    ],
    ['s3://b?secretAccessKey=HUSH', /takes the parameters endpoint, region and profile only$/],
    ['s3://b?endpoint=HUSH', /^the endpoint of store 1 of APOTHECA_BACKUP_STORES must look like https:/],
    ['ftp://HUSH/a', /must begin with file:\/ or s3:\/\/$/],
    ['HUSH', /must look like file:\/path or s3:\/\/bucket/],
    ['file://HUSH/a', /must look like file:\/path$/],
    ['file:/a,file:/a/', /^APOTHECA_BACKUP_STORES names a store twice$/],
  ])('refuses %s, and repeats nothing of it [DECISIONS §13]', (setting, message) => {
    const refused = () => readBoth(setting, RECIPIENT);
    expect(refused).toThrow(message);
    expect(refused).not.toThrow(/HUSH|KEY1/);
  });

  it('refuses an S3 store without a recipient, but no folder [DECISIONS §13]', () => {
    expect(() => readBoth('s3://b')).toThrow(/set APOTHECA_BACKUP_RECIPIENT to a public key of age$/);
    expect(readBoth('file:/a').recipients).toEqual([]);
    expect(readBoth('s3://b', `${RECIPIENT}, ${RECIPIENT}`).recipients).toEqual([RECIPIENT, RECIPIENT]);
  });

  it('refuses a secret key as the recipient, without repeating it [DECISIONS §13]', () => {
    const refused = () => readBoth('s3://b', 'AGE-SECRET-KEY-1HUSH');
    expect(refused).toThrow(/must be public keys of age/);
    expect(refused).not.toThrow(/HUSH/);
  });
});
