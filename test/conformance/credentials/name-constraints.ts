import 'reflect-metadata';
import { Extension } from '@peculiar/x509';
import { context, sequence } from '#shared/x509/der-writer.ts';

export interface Names {
  readonly dns?: readonly string[];
  readonly email?: readonly string[];
  /** Addresses of IPv4; in constraints with a mask behind. */
  readonly ip?: readonly string[];
  readonly uri?: readonly string[];
}

function generalNames({ dns = [], email = [], ip = [], uri = [] }: Names): Uint8Array[] {
  const text = (tag: number, texts: readonly string[]): Uint8Array[] =>
    texts.map((one) => context(tag, Buffer.from(one, 'latin1'), false));
  const octets = (address: string): Buffer => Buffer.from(address.split(/[./]/).map(Number));
  return [...text(1, email), ...text(2, dns), ...text(6, uri), ...ip.map((one) => context(7, octets(one), false))];
}

export function subjectAltNames(names: Names): Extension {
  return new Extension('2.5.29.17', false, bytes(sequence(...generalNames(names))));
}

/** RFC 5280 section 4.2.1.10. */
function constraintsOf(permitted: Names, excluded: Names = {}, critical = true): Extension {
  const trees = (tag: number, names: Names): Uint8Array[] => {
    const all = generalNames(names).map((name) => sequence(name));
    return all.length === 0 ? [] : [context(tag, Buffer.concat(all), true)];
  };
  return new Extension('2.5.29.30', critical, bytes(sequence(...trees(0, permitted), ...trees(1, excluded))));
}

/** WebCrypto's types do not take Node's buffers. */
function bytes(buffer: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer);
}

export interface ConstrainedNames {
  readonly constraints: Extension;
  /** Of the certificate below the constraints. */
  readonly names: Names;
}

const dns = (...names: string[]): Names => ({ dns: names });

export const nameConstraints: Readonly<Record<string, ConstrainedNames>> = {
  'a permitted host': { constraints: constraintsOf(dns('example.org')), names: dns('a.example.org') },
  'a host that is not permitted': { constraints: constraintsOf(dns('example.org')), names: dns('a.example.com') },
  'one of two hosts is permitted': { constraints: constraintsOf(dns('example.org')), names: dns('example.org', 'x.y') },
  'constraints, and no name': { constraints: constraintsOf(dns('example.org')), names: {} },
  'an excluded host': { constraints: constraintsOf({}, dns('example.org')), names: dns('a.example.org') },
  'a host that is not excluded': { constraints: constraintsOf({}, dns('example.org')), names: dns('example.com') },
  'permitted and excluded': {
    constraints: constraintsOf(dns('example.org'), dns('a.example.org')),
    names: dns('a.example.org'),
  },
  'not critical': { constraints: constraintsOf(dns('example.org'), {}, false), names: dns('example.com') },
  'a permitted address': {
    constraints: constraintsOf({ ip: ['192.0.2.0/255.255.255.0'] }),
    names: { ip: ['192.0.2.9'] },
  },
  'an address that is not permitted': {
    constraints: constraintsOf({ ip: ['192.0.2.0/255.255.255.0'] }),
    names: { ip: ['198.51.100.1'] },
  },
  'a permitted email address': {
    constraints: constraintsOf({ email: ['example.org'] }),
    names: { email: ['a@example.org'] },
  },
  'an email address that is not permitted': {
    constraints: constraintsOf({ email: ['example.org'] }),
    names: { email: ['a@example.com'] },
  },
  'a permitted URI': {
    constraints: constraintsOf({ uri: ['example.org'] }),
    names: { uri: ['spiffe://example.org/a'] },
  },
  'a URI that is not permitted': {
    constraints: constraintsOf({ uri: ['example.org'] }),
    names: { uri: ['spiffe://x/a'] },
  },
};
