import { isUtf8 } from 'node:buffer';
import { DerError, derTags, type DerReader } from './der.ts';

/** The strings that names may be made of, by their tags, with what their bytes may be. */
const strings: Readonly<Record<number, (bytes: Buffer) => boolean>> = {
  0x0c: isUtf8,
  0x12: (bytes) => /^[0-9 ]*$/.test(bytes.toString('latin1')),
  0x13: (bytes) => /^[A-Za-z0-9 '()+,\-./:=?*&]*$/.test(bytes.toString('latin1')),
  0x14: () => true,
  0x16: (bytes) => bytes.every((byte) => byte < 0x80),
  0x1e: (bytes) => bytes.length % 2 === 0,
};

/** Reads a distinguished name over; `hasAnyType`: with values of types that are no strings (certificate requests). Throws DerError for what is none. */
export function checkName(from: DerReader, hasAnyType = false): void {
  for (const name = from.sequence(); !name.isAtEnd();) {
    for (const set = name.inner(derTags.set); !set.isAtEnd();) {
      const attribute = set.sequence();
      attribute.identifier();
      const { tag, content } = attribute.next();
      if (!(strings[tag]?.(content) ?? hasAnyType)) throw new DerError('x509: invalid RDNSequence: invalid attribute value');
    }
  }
}

const utcForm = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(Z|[+-]\d{4})$/;
const generalizedForm = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(Z|[+-]\d{4})$/;
/** A year of two digits is one of the last century from here on (RFC 5280). */
const firstOfLastCentury = 50;

/** A moment in milliseconds since the epoch. Throws DerError for what is no time. */
export function readTimeMs(from: DerReader): number {
  const { tag, content } = from.next();
  const text = content.toString('latin1');
  const parts = tag === derTags.utcTime ? utcForm.exec(text) : tag === derTags.generalizedTime ? generalizedForm.exec(text) : null;
  if (parts === null) throw new DerError('x509: unsupported time format');
  const [, year = '', month, day, hour, minute, second = '00', zone = 'Z'] = parts;
  const wholeYear = year.length === 4 ? year : `${Number(year) >= firstOfLastCentury ? 19 : 20}${year}`;
  const ms = Date.parse(`${wholeYear}-${month}-${day}T${hour}:${minute}:${second}${zone === 'Z' ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`}`);
  if (Number.isNaN(ms)) throw new DerError('x509: malformed time');
  return ms;
}
