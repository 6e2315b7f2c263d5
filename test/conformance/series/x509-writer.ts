import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';

// DER and X.509 as wanted, right or wrong: libraries refuse to write what is wrong.

/** An element of DER. */
export function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const bytes =
    content.length < 0x80
      ? [content.length]
      : content.length < 0x100
        ? [0x81, content.length]
        : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
}

export const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
export const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const bits = (bytes: Buffer): Buffer => der(0x03, Buffer.from([0]), bytes);
export const text = (tag: number, content: string): Buffer => der(tag, Buffer.from(content, 'latin1'));
const integer = (...bytes: readonly number[]): Buffer => der(0x02, Buffer.from(bytes));

/** A name of one common name; without one it is empty. */
export function name(commonName?: string, tag = 0x0c): Buffer {
  return commonName === undefined ? sequence() : sequence(der(0x31, sequence(oid('550403'), text(tag, commonName))));
}

export function extension(id: string, value: Buffer, isCritical?: boolean): Buffer {
  return sequence(
    oid(id),
    ...(isCritical === undefined ? [] : [der(0x01, Buffer.from([isCritical ? 0xff : 0]))]),
    der(0x04, value),
  );
}

export const authority = (...content: readonly Buffer[]): Buffer => extension('551d13', sequence(...content), true);
export const isAuthority: Buffer = authority(der(0x01, Buffer.from([0xff])));

/** An Ed25519 key that is the same in every run. */
export function fixedKey(seed: number): KeyObject {
  return createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, seed)]),
    format: 'der',
    type: 'pkcs8',
  });
}

export function spkiOf(key: KeyObject): Buffer {
  return (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'der', type: 'spki' });
}

const algorithms: Readonly<Record<string, readonly [hash: string | null, id: Buffer]>> = {
  ed25519: [null, sequence(oid('2b6570'))],
  ec: ['sha256', sequence(oid('2a8648ce3d040302'))],
  rsa: ['sha256', sequence(oid('2a864886f70d01010b'), der(0x05))],
};

/** Signed by a key, with the algorithm named as that of the key, or as the one given. */
function signed(content: Buffer, key: KeyObject, algorithm?: Buffer): Buffer {
  const [hash, id] = algorithms[key.asymmetricKeyType ?? ''] ?? [null, sequence()];
  return sequence(
    content,
    algorithm ?? id,
    bits(key.asymmetricKeyType === 'x25519' ? Buffer.alloc(64) : sign(hash, content, key)),
  );
}

/** A certificate request of a key; another key may sign it. */
export function request(
  key: KeyObject,
  signer = key,
  subject = name(),
  spki = spkiOf(key),
  algorithm?: Buffer,
): Buffer {
  return signed(sequence(integer(0), subject, spki, der(0xa0)), signer, algorithm);
}

export interface CertificateContent {
  /** Of the subject. */
  readonly key: KeyObject;
  readonly signer?: KeyObject;
  /** Whole seconds since the epoch. */
  readonly from?: number;
  readonly to?: number;
  readonly extensions?: readonly Buffer[];
  readonly version?: number;
  readonly serial?: readonly number[];
  readonly subject?: Buffer;
  readonly spki?: Buffer;
  /** Of the outer signature. */
  readonly algorithm?: Buffer;
}

const utc = (seconds: number): Buffer =>
  text(
    0x17,
    new Date(seconds * 1000)
      .toISOString()
      .replaceAll(/[-:T]|\.\d+/g, '')
      .slice(2),
  );

export function certificate({
  key,
  signer = key,
  from = 1_700_000_000,
  to = 1_900_000_000,
  extensions = [],
  version = 2,
  serial = [1],
  subject = name('a'),
  spki = spkiOf(key),
  algorithm,
}: CertificateContent): Buffer {
  const [, id] = algorithms[signer.asymmetricKeyType ?? ''] ?? [null, sequence()];
  const content = sequence(
    ...(version === 0 ? [] : [der(0xa0, integer(version))]),
    integer(...serial),
    id,
    name('issuer'),
    sequence(utc(from), utc(to)),
    subject,
    spki,
    ...(extensions.length === 0 ? [] : [der(0xa3, sequence(...extensions))]),
  );
  return signed(content, signer, algorithm);
}

export function pem(bytes: Buffer, type = 'CERTIFICATE', headers = ''): string {
  return `-----BEGIN ${type}-----\n${headers}${bytes.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END ${type}-----\n`;
}
