import { invalid, notSupported, tooLong, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import {
  isCaselessLongName,
  isLongName,
  isQualifiedName,
  isShortName,
  nameIsPathSegment,
} from '#shared/apimachinery/validation/names.ts';
import type { Int64 } from '#shared/apimachinery/values/int64.ts';

// Rules for single values that declared validation uses (apimachinery/pkg/api/validate: limits.go, strfmt.go, enum.go).

type Check = (value: JsonValue, field: Path) => FieldError[];

const textCheck =
  (rule: (text: string) => readonly string[]): Check =>
  (value, field) =>
    messages(rule(String(value)), field, String(value));

/** A DNS label. */
export const shortName = textCheck(isShortName);
/** A DNS subdomain. */
export const longName = textCheck(isLongName);
/** A DNS subdomain in letters of either case. */
export const caselessLongName = textCheck(isCaselessLongName);
export const labelKey = textCheck(isQualifiedName);
export const pathSegmentName = textCheck((name) => nameIsPathSegment(name, false));

/** One of the texts, which are sorted by their bytes. */
export const oneOfTexts =
  (known: readonly string[]): Check =>
  (value, field) =>
    known.includes(String(value)) ? [] : [notSupported(field, value, known)];

/** A whole number from `min` up to `max`. */
export const between =
  (min: number, max = Infinity): Check =>
  (value, field) => {
    const number = value as Int64;
    if (number > max) return [invalid(field, value, `must be less than or equal to ${max}`)];
    return number < min ? [invalid(field, value, `must be greater than or equal to ${min}`)] : [];
  };

export const atMostBytes =
  (max: number): Check =>
  (value, field) =>
    Buffer.byteLength(String(value)) > max ? [tooLong(field, '', max)] : [];

const maxPoolBytes = 253;

/** The name of a pool of devices: DNS subdomains separated by slashes. */
export const poolName: Check = (value, field) => {
  const name = String(value);
  return [
    ...atMostBytes(maxPoolBytes)(name, field),
    ...name
      .split('/')
      .flatMap((part, index) =>
        part === ''
          ? [invalid(field, name, `segment ${index}: must not be empty`)]
          : isLongName(part).map((text) => invalid(field, part, `segment ${index}: ${text}`)),
      ),
  ];
};
