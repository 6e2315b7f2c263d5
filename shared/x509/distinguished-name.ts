import { isUtf8 } from 'node:buffer';
import { DerError, derTags, type DerReader } from './der.ts';

/** One attribute of a distinguished name. */
export interface NameAttribute {
  /** The type: the content of its object identifier in hexadecimal. */
  readonly type: string;
  readonly value: string;
}

/** Attribute types by the content of their identifiers in hexadecimal: 2.5.4.3 and 2.5.4.10. */
export const nameTypes = { commonName: '550403', organization: '55040a' } as const;

const plain =
  (pattern: RegExp) =>
  (bytes: Buffer): string | undefined => {
    const text = bytes.toString('latin1');
    return pattern.test(text) ? text : undefined;
  };

/**
 * Readers of the string types that names may have, by their tags. They return undefined for invalid bytes (crypto/x509
 * parseASN1String).
 */
const strings: Readonly<Record<number, (bytes: Buffer) => string | undefined>> = {
  0x0c: (bytes) => (isUtf8(bytes) ? bytes.toString('utf8') : undefined),
  0x12: plain(/^[0-9 ]*$/),
  0x13: plain(/^[A-Za-z0-9 '()+,\-./:=?*&]*$/),
  // T.61 is read as Latin-1, as other implementations do.
  0x14: (bytes) => bytes.toString('latin1'),
  0x16: (bytes) => (bytes.every((byte) => byte < 0x80) ? bytes.toString('latin1') : undefined),
  0x1e: readBmpString,
};

/** The attributes of a name in their order, without grouping by RDN. Throws DerError for a malformed name. */
export function readName(from: DerReader): NameAttribute[] {
  const found: NameAttribute[] = [];
  eachAttribute(from, (type, tag, content) => {
    const value = strings[tag]?.(content);
    if (value === undefined) throw new DerError('x509: invalid RDNSequence: invalid attribute value');
    found.push({ type, value });
  });
  return found;
}

/**
 * The string attributes of the name in a certificate request, where values may have other types, too. Throws DerError
 * for a malformed name.
 */
export function readRequestName(from: DerReader): NameAttribute[] {
  const found: NameAttribute[] = [];
  eachAttribute(from, (type, tag, content) => {
    const read = strings[tag];
    if (read === undefined) return;
    const value = read(content);
    if (value === undefined) throw new DerError('x509: invalid RDNSequence: invalid attribute value');
    found.push({ type, value });
  });
  return found;
}

function eachAttribute(from: DerReader, take: (type: string, tag: number, content: Buffer) => void): void {
  for (const name = from.sequence(); !name.isAtEnd();) {
    for (const set = name.inner(derTags.set); !set.isAtEnd();) {
      const attribute = set.sequence();
      const type = attribute.identifier();
      const { tag, content } = attribute.next();
      take(type, tag, content);
    }
  }
}

/** UCS-2, most significant byte first; a zero character at the end is dropped. */
function readBmpString(bytes: Buffer): string | undefined {
  if (bytes.length % 2 !== 0) return undefined;
  const ends = bytes.length >= 2 && bytes.readUInt16BE(bytes.length - 2) === 0;
  const text = Buffer.from(ends ? bytes.subarray(0, -2) : bytes)
    .swap16()
    .toString('utf16le');
  return /[\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]/.test(text) ? undefined : text;
}
