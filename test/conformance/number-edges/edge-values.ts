import type { ScalarType } from '#shared/apimachinery/schema/schema.ts';

/** Put in front of the digits of a number that JSON.stringify could not print as it is meant. */
const mark = 'NUMBER ';

const integers = [
  '2147483647',
  '2147483648',
  '-2147483648',
  '-2147483649',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '-9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
  '9223372036854775808',
  '-9223372036854775809',
  '18446744073709551615',
  '18446744073709551616',
  '1e19',
  '9223372036854775807.0',
].map((digits) => mark + digits);

const quantities = [
  '9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
  '9223372036854775808',
  '-9223372036854775809',
  '18446744073709551616',
  '9223372036854775807m',
  '9223372036854775807n',
  '1e19',
  '1e-10',
  '8Ei',
  '-8Ei',
  '9223372036854775807Ki',
  `${mark}9223372036854775807`,
  `${mark}18446744073709551616`,
  `${mark}1e300`,
];

const durations = [
  '2562047h47m16.854775807s',
  '2562047h47m16.854775808s',
  '-2562047h47m16.854775808s',
  '9223372036854775807ns',
  '9223372036854775808ns',
  '9223372037s',
  `${mark}9223372036854775807`,
];

const dates = [
  ['9999-12-31T23:59:59', 'Z'],
  ['9999-12-31T23:59:59', '-01:00'],
  ['10000-01-01T00:00:00', 'Z'],
  ['0001-01-01T00:00:00', 'Z'],
  ['0001-01-01T00:00:00', '+01:00'],
  ['0000-01-01T00:00:00', 'Z'],
  ['0000-01-01T00:00:00', '+01:00'],
  ['-0001-01-01T00:00:00', 'Z'],
  ['1677-09-21T00:12:43', 'Z'],
  ['2262-04-11T23:47:17', 'Z'],
] as const;

/** Values at the edges of a type: of an int32, an int64, a float64, a duration, and of the years of a time. */
export function edgeValues(type: ScalarType): readonly string[] {
  switch (type) {
    case 'int32':
    case 'int64':
    case 'uint32':
    case 'uint64':
    case 'float':
    case 'double':
      return integers;
    case 'quantity':
      return quantities;
    case 'intOrString':
      return [...integers, '9223372036854775807', '2147483648%', '9223372036854775808%'];
    case 'duration':
      return durations;
    case 'time':
      return [...dates.map((parts) => parts.join('')), '9999-12-31T23:59:59.999999999Z'];
    case 'microTime':
      return dates.map((parts) => parts.join('.000000'));
    case 'rawExtension':
    case 'json':
      return integers;
    default:
      return [];
  }
}

/** The JSON of an object with such values in it. */
export function printed(object: unknown): string {
  return JSON.stringify(object).replaceAll(/"NUMBER ([^"]+)"/g, '$1');
}

/** The same, with bigints; undefined where the object has a number that no int64 is. */
export function withIntegers<Value>(object: Value): Value | undefined {
  let fits = true;
  const made = JSON.parse(JSON.stringify(object), (_key, value: unknown) => {
    if (typeof value !== 'string' || !value.startsWith(mark)) return value;
    const digits = value.slice(mark.length);
    if (!/^-?\d+$/.test(digits) || BigInt.asIntN(64, BigInt(digits)) !== BigInt(digits)) fits = false;
    else return Number.isSafeInteger(Number(digits)) ? Number(digits) : BigInt(digits);
    return null;
  }) as Value;
  return fits ? made : undefined;
}
