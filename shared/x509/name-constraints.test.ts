import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { noNames, type AlternativeNames } from './alternative-names.ts';
import { DerError } from './der.ts';
import { constrainedName, readNameConstraints } from './name-constraints.ts';

const tags = { mail: 0x81, dns: 0x82, directory: 0xa4, uri: 0x86, address: 0x87 } as const;
type Names = readonly (readonly [kind: keyof typeof tags, content: string])[];

function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, content.length]), content]);
}

/** The value of the extension (RFC 5280 section 4.2.1.10); addresses with masks are in hexadecimal. */
function constraints(permitted: Names | undefined, excluded?: Names): Buffer {
  const list = (tag: number, names: Names | undefined): Buffer[] =>
    names === undefined
      ? []
      : [
          der(
            tag,
            ...names.map(([kind, content]) =>
              der(0x30, der(tags[kind], Buffer.from(content, kind === 'address' ? 'hex' : 'latin1'))),
            ),
          ),
        ];
  return der(0x30, ...list(0xa0, permitted), ...list(0xa1, excluded));
}

const allows = (value: Buffer, names: Partial<AlternativeNames>): boolean =>
  constrainedName(readNameConstraints(value), { ...noNames, ...names }) === undefined;
const address = (hex: string): Partial<AlternativeNames> => ({ addresses: [Buffer.from(hex, 'hex')] });

describe('constrainedName', () => {
  for (const [name, value, good, bad] of [
    [
      'permitted hosts',
      constraints([['dns', 'a.example']]),
      [{ dnsNames: ['a.example', 'b.a.example'] }, { emailAddresses: ['x@c.example'] }, address('0a000001')],
      [{ dnsNames: ['ba.example'] }, { dnsNames: ['a.example', 'c.example'] }],
    ],
    [
      'excluded hosts',
      constraints(undefined, [['dns', 'a.example']]),
      [{ dnsNames: ['c.example', '*.c.example'] }],
      [{ dnsNames: ['a.example'] }, { dnsNames: ['b.a.example'] }, { dnsNames: ['*.example'] }],
    ],
    [
      'an excluded host within a permitted domain',
      constraints([['dns', 'example']], [['dns', 'a.example']]),
      [{ dnsNames: ['c.example'] }],
      [{ dnsNames: ['a.example'] }, { dnsNames: ['a.other'] }],
    ],
    [
      'permitted addresses',
      constraints([['address', '0a000000ff000000']]),
      [address('0affffff'), { dnsNames: ['a'] }],
      [address('0b000000'), address('00000000000000000000ffff0a000001')],
    ],
    [
      'excluded addresses',
      constraints(undefined, [['address', '0a000000ff000000']]),
      [address('0b000000')],
      [address('0a000000')],
    ],
    [
      'a permitted mailbox',
      constraints([['mail', 'A@b.example']]),
      [{ emailAddresses: ['A@B.example'] }],
      [{ emailAddresses: ['a@b.example'] }, { emailAddresses: ['no mailbox'] }],
    ],
    [
      'mailboxes of a permitted domain',
      constraints([['mail', 'b.example']]),
      [{ emailAddresses: ['a@b.example', 'a@c.b.example'] }],
      [{ emailAddresses: ['a@c.example'] }],
    ],
    [
      'permitted URIs',
      constraints([['uri', 'a.example']]),
      [{ uriHosts: ['a.example'] }, { uriHosts: ['b.a.example:443'] }],
      [{ uriHosts: ['c.example'] }, { uriHosts: ['10.0.0.1'] }, { uriHosts: ['[::1]:443'] }, { uriHosts: [''] }],
    ],
    [
      'excluded URIs',
      constraints(undefined, [['uri', '.a.example']]),
      [{ uriHosts: ['a.example'] }],
      [{ uriHosts: ['b.a.example'] }],
    ],
  ] as const) {
    test(`applies ${name}`, () => {
      for (const names of good) assert.equal(allows(value, names), true, JSON.stringify(names));
      for (const names of bad) assert.equal(allows(value, names), false, JSON.stringify(names));
    });
  }
});

describe('readNameConstraints', () => {
  for (const [name, value] of [
    ['neither list', constraints(undefined)],
    ['two empty lists', constraints([], [])],
    ['a host that is no domain', constraints([['dns', 'a..b']])],
    ['a host outside of ASCII', constraints([['dns', 'a\x80']])],
    ['a URI of an address', constraints([['uri', '10.0.0.1']])],
    ['a mailbox that is none', constraints([['mail', 'a b@c']])],
    ['an address of 4 bytes', constraints([['address', '0a000000']])],
    ['an address of 5 bytes', constraints([['address', '0a000000ff']])],
    ['a mask with a hole', constraints([['address', '0a000000ff00ff00']])],
    ['something behind the lists', der(0x30, der(0xa0, der(0x30, der(0x82))), der(0xa2))],
  ] as const) {
    test(`refuses ${name}`, () => assert.throws(() => readNameConstraints(value), DerError));
  }

  test('accepts one list that is empty beside one that is not', () => {
    assert.doesNotThrow(() => readNameConstraints(constraints([], [['dns', 'a']])));
  });

  test('reports constraints on directory names, which it does not check', () => {
    assert.equal(readNameConstraints(constraints([['directory', '']])).hasOthers, true);
    assert.equal(readNameConstraints(constraints([['dns', 'a']])).hasOthers, false);
  });
});
