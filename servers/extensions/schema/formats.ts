import { isIP, isIPv6 } from 'node:net';
import { getKey } from '#shared/apimachinery/json/json.ts';
import { isBase64, isDate, isDateTime, isUuid } from '#shared/apimachinery/text/string-formats.ts';
import { parseDuration } from '#shared/apimachinery/values/duration.ts';
import { isEmail } from './format-email.ts';
import { isRequestUri } from './format-uri.ts';

/** Whether a string has the format. */
export type FormatCheck = (text: string) => boolean;

const uuid = (third: string, fourth: string): FormatCheck => {
  const pattern = new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}-?${fourth}-?[0-9a-f]{12}$`, 'i');
  return (text) => pattern.test(text);
};
const matching =
  (pattern: RegExp): FormatCheck =>
  (text) =>
    pattern.test(text);

const anyFour = '[0-9a-f]{4}';
const hostname =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;
const creditCard =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;
const part = String.raw`\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*`;
const shortName = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

/** Formats of strings by their name without dashes (kube-openapi/pkg/validation/strfmt, govalidator). */
const stringFormats: Readonly<Record<string, FormatCheck>> = {
  bsonobjectid: matching(/^[0-9a-fA-F]{24}$/),
  uri: isRequestUri,
  email: isEmail,
  hostname: (text) =>
    Buffer.byteLength(text) <= 255 && hostname.test(text) && text.split('.').every((label) => label.length <= 63),
  ipv4: (text) => isIP(withoutLeadingZeros(text)) !== 0 && text.includes('.'),
  ipv6: (text) => isIPv6(text) && !text.includes('%'),
  cidr: isCidr,
  mac: isMac,
  uuid: isUuid,
  uuid3: uuid('3[0-9a-f]{3}', anyFour),
  uuid4: uuid('4[0-9a-f]{3}', '[89ab][0-9a-f]{3}'),
  uuid5: uuid('5[0-9a-f]{3}', '[89ab][0-9a-f]{3}'),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: (text) => isCreditCard(text.replaceAll(/\D+/g, '')),
  ssn: matching(/^\d{3}[- ]\d{2}[- ]\d{4}$/),
  hexcolor: matching(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  rgbcolor: matching(new RegExp(String.raw`^rgb\(${part},${part},${part}\)$`)),
  byte: isBase64,
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
  k8sshortname: (text) => text.length <= 63 && new RegExp(`^${shortName}$`).test(text),
  k8slongname: (text) => text.length <= 253 && new RegExp(`^${shortName}(\\.${shortName})*$`).test(text),
};

const formatsOfNumbers: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

/**
 * The name and the check of a format. The name is empty if the format is unknown or does not apply to this type.
 */
export function supportedFormat(
  format: string,
  type: string,
): { readonly name: string; readonly check: FormatCheck | undefined } {
  if (format === '') return { name: '', check: undefined };
  if (type === '' || type === 'string') {
    const normalized = format.replaceAll('-', '');
    const check = Object.hasOwn(stringFormats, normalized) ? stringFormats[normalized] : undefined;
    return { name: check === undefined ? '' : format, check };
  }
  return { name: getKey(formatsOfNumbers, type)?.includes(format) === true ? format : '', check: undefined };
}

function isCidr(text: string): boolean {
  const slash = text.indexOf('/');
  const address = withoutLeadingZeros(text.slice(0, slash));
  const length = text.slice(slash + 1);
  if (slash < 0 || !/^\d+$/.test(length) || address.includes('%')) return false;
  const family = isIP(address);
  return family !== 0 && Number(length) <= (family === 4 ? 32 : 128);
}

/** Longer texts are no addresses, however many leading zeros they have. */
const maxAddress = 256;

/** Removes leading zeros: the older Go parsers that the reference uses accept `010.1.1.1`, also after a `::`. */
function withoutLeadingZeros(address: string): string {
  return address.includes('.') && address.length <= maxAddress
    ? address.replaceAll(/(^|[.:])0+(?=\d+(?:\.|$))/g, '$1')
    : address;
}

/** Whether the text is 6, 8 or 20 bytes in hex: without separators, or in groups of one or two bytes. */
function isMac(text: string): boolean {
  const digits = text.replaceAll(/[:.-]/g, '');
  if (![12, 16, 40].includes(digits.length) || !/^[0-9a-fA-F]+$/.test(digits)) return false;
  return digits === text || /^..([:-])(?:..\1)*..$/.test(text) || /^....(?:\.....)*$/.test(text);
}

const namedUnit = /^(?:ns|us|\u00b5s|ms|s|m|h|hr|d|w|wk)$|^(?:nano|micro|milli|sec|min|hour|day|week)/i;
const maxFactor = 2n ** 63n - 1n;

/** Go's durations, and those of Scala (`22 ns`, `1 week`). */
function isDuration(text: string): boolean {
  if (isGoDuration(text)) return true;
  // Each match consumes a whole run of digits, so that a long text takes linear time.
  let known = false;
  for (const [, factor = '', unit] of text.matchAll(/0*(\d+)(?:\s*([A-Za-z\u00b5]+))?/g)) {
    if (unit === undefined) continue;
    if (factor.length > 18 && (factor.length > 19 || BigInt(factor) > maxFactor)) return false;
    known ||= namedUnit.test(unit);
  }
  return known;
}

function isIsbn10(text: string): boolean {
  const digits = text.replaceAll(/[\s-]+/g, '');
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  const sum = [...digits].reduce(
    (total, digit, index) => total + (index + 1) * (digit === 'X' ? 10 : Number(digit)),
    0,
  );
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replaceAll(/[\s-]+/g, '');
  if (!/^[0-9]{13}$/.test(digits)) return false;
  const sum = Array.from(digits.slice(0, 12)).reduce(
    (total, digit, index) => total + (index % 2 === 0 ? 1 : 3) * Number(digit),
    0,
  );
  return (10 - (sum % 10)) % 10 === Number(digits[12]);
}

/** Whether the digits match the pattern and have a valid Luhn checksum. */
function isCreditCard(digits: string): boolean {
  if (!creditCard.test(digits)) return false;
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value >= 10 ? (value % 10) + 1 : value);
  }, 0);
  return sum % 10 === 0;
}

function isGoDuration(text: string): boolean {
  try {
    parseDuration(text);
    return true;
  } catch {
    return false;
  }
}
