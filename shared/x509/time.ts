import { DerError, derTags, type DerReader } from './der.ts';

const utcForm = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(Z|[+-]\d{4})$/;
const generalizedForm = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(Z|[+-]\d{4})$/;
/** Two-digit years from here on are in the 20th century (RFC 5280). */
const firstOfLastCentury = 50;

/** Reads a time in milliseconds since the epoch. Throws DerError for a malformed time. */
export function readTimeMs(from: DerReader): number {
  const { tag, content } = from.next();
  const text = content.toString('latin1');
  const parts =
    tag === derTags.utcTime ? utcForm.exec(text) : tag === derTags.generalizedTime ? generalizedForm.exec(text) : null;
  if (parts === null) throw new DerError('x509: unsupported time format');
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '00', zone = 'Z'] = parts;
  const wholeYear = year.length === 4 ? year : `${Number(year) >= firstOfLastCentury ? 19 : 20}${year}`;
  const local = `${wholeYear}-${month}-${day}T${hour}:${minute}:${second}`;
  const localMs = Date.parse(`${local}Z`);
  // Date.parse accepts 30 February and hour 24, which Go refuses. Go also requires a zero offset to be written as Z.
  if (Number.isNaN(localMs) || new Date(localMs).toISOString() !== `${local}.000Z` || /^[+-]0000$/.test(zone))
    throw new DerError('x509: malformed time');
  return zone === 'Z' ? localMs : localMs - offsetMs(zone);
}

function offsetMs(zone: string): number {
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3));
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}
