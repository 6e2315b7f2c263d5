import { byteLength } from '#shared/apimachinery/text/go-format.ts';
import type { Int64 } from '#shared/apimachinery/values/int64.ts';

/**
 * Rules of names, labels and keys. Each function returns the reference's messages, an empty list for a valid value
 * (apimachinery/pkg/util/validation and pkg/api/validate/content). Lengths are counted in bytes.
 */

const DNS1123_LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const DNS1123_LABEL_UNDERSCORE = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const DNS1123_SUBDOMAIN = `${DNS1123_LABEL}(\\.${DNS1123_LABEL})*`;
const DNS1123_SUBDOMAIN_UNDERSCORE = `${DNS1123_LABEL_UNDERSCORE}(\\.${DNS1123_LABEL_UNDERSCORE})*`;
const DNS1035_LABEL = '[a-z]([-a-z0-9]*[a-z0-9])?';
const LABEL_KEY = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const ALPHANUMERIC_ENDS = 'must start and end with an alphanumeric character';

const LABEL_RE = new RegExp(`^${DNS1123_LABEL}$`);
const SUBDOMAIN_RE = new RegExp(`^${DNS1123_SUBDOMAIN}$`);
// Go ignores case beyond ASCII, too: the long s matches s, the Kelvin sign k.
const CASELESS_SUBDOMAIN_RE = new RegExp(`^${DNS1123_SUBDOMAIN}$`, 'iu');
const SUBDOMAIN_UNDERSCORE_RE = new RegExp(`^${DNS1123_SUBDOMAIN_UNDERSCORE}$`);
const WILDCARD_RE = new RegExp(`^\\*\\.${DNS1123_SUBDOMAIN}$`);
const DNS1035_RE = new RegExp(`^${DNS1035_LABEL}$`);
const LABEL_KEY_RE = new RegExp(`^${LABEL_KEY}$`);

/** Longest DNS label and label value. */
export const MAX_LABEL_LENGTH = 63;
/** Longest DNS subdomain. */
export const MAX_SUBDOMAIN_LENGTH = 253;

/** `must be no more than 63 characters`; the newer rules say bytes. */
export function maxLengthMessage(length: number, unit: 'characters' | 'bytes' = 'characters'): string {
  return `must be no more than ${length} ${unit}`;
}

/** A message that shows examples and the pattern. */
export function patternMessage(text: string, pattern: string, ...examples: readonly string[]): string {
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return `${text} (${shown === '' ? '' : `e.g. ${shown}`}regex used for validation is '${pattern}')`;
}

export function rangeMessage(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`;
}

function tooLong(value: string, max: number, unit: 'characters' | 'bytes'): string[] {
  return byteLength(value) > max ? [maxLengthMessage(max, unit)] : [];
}

export function isDNS1123Label(value: string): string[] {
  return labelErrors(value, 'characters');
}

/** Checks a label; the messages are those of declarative validation (format k8s-short-name). */
export function isShortName(value: string): string[] {
  return labelErrors(value, 'bytes');
}

function labelErrors(value: string, unit: 'characters' | 'bytes'): string[] {
  const errors = tooLong(value, MAX_LABEL_LENGTH, unit);
  if (LABEL_RE.test(value)) return errors;
  if (SUBDOMAIN_RE.test(value)) return [...errors, 'must not contain dots'];
  const text = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and ${ALPHANUMERIC_ENDS}`;
  return [...errors, patternMessage(text, DNS1123_LABEL, 'my-name', '123-abc')];
}

const SUBDOMAIN_TEXT = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and ${ALPHANUMERIC_ENDS}`;

export function isDNS1123Subdomain(value: string): string[] {
  return subdomainErrors(value, 'characters');
}

/** Checks a subdomain; the messages are those of declarative validation (format k8s-long-name). */
export function isLongName(value: string): string[] {
  return subdomainErrors(value, 'bytes');
}

/** As {@link isLongName}, without regard to case (format k8s-long-name-caseless). */
export function isCaselessLongName(value: string): string[] {
  const errors = tooLong(value, MAX_SUBDOMAIN_LENGTH, 'bytes');
  const text = `an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and ${ALPHANUMERIC_ENDS}`;
  if (!CASELESS_SUBDOMAIN_RE.test(value)) errors.push(patternMessage(text, DNS1123_SUBDOMAIN, 'Example.com'));
  return errors;
}

function subdomainErrors(value: string, unit: 'characters' | 'bytes'): string[] {
  const errors = tooLong(value, MAX_SUBDOMAIN_LENGTH, unit);
  if (!SUBDOMAIN_RE.test(value)) errors.push(patternMessage(SUBDOMAIN_TEXT, DNS1123_SUBDOMAIN, 'example.com'));
  return errors;
}

export function isDNS1123SubdomainWithUnderscore(value: string): string[] {
  const errors = tooLong(value, MAX_SUBDOMAIN_LENGTH, 'characters');
  const text = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and ${ALPHANUMERIC_ENDS}`;
  if (!SUBDOMAIN_UNDERSCORE_RE.test(value))
    errors.push(patternMessage(text, DNS1123_SUBDOMAIN_UNDERSCORE, 'example.com'));
  return errors;
}

export function isWildcardDNS1123Subdomain(value: string): string[] {
  const errors = tooLong(value, MAX_SUBDOMAIN_LENGTH, 'characters');
  const text =
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";
  if (!WILDCARD_RE.test(value)) errors.push(patternMessage(text, `\\*\\.${DNS1123_SUBDOMAIN}`, '*.example.com'));
  return errors;
}

export function isDNS1035Label(value: string): string[] {
  const errors = tooLong(value, MAX_LABEL_LENGTH, 'characters');
  const text =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  if (!DNS1035_RE.test(value)) errors.push(patternMessage(text, DNS1035_LABEL, 'my-name', 'abc-123'));
  return errors;
}

const SHORT_LABEL_RE = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const KEY_PATTERN = patternMessage(
  `must consist of alphanumeric characters, '-', '_' or '.', and ${ALPHANUMERIC_ENDS}`,
  LABEL_KEY,
  'MyName',
  'my.name',
  '123-abc',
);
const LABEL_VALUE_PATTERN = patternMessage(
  `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and ${ALPHANUMERIC_ENDS}`,
  `(${LABEL_KEY})?`,
  'MyValue',
  'my_value',
  '12345',
);

/** Keys of labels and annotations, finalizers: `[prefix/]name`. */
export function isQualifiedName(value: string): string[] {
  if (SHORT_LABEL_RE.test(value)) return [];
  const slash = value.indexOf('/');
  const mayHavePrefix = slash > 0 && slash <= MAX_SUBDOMAIN_LENGTH;
  if (mayHavePrefix && SHORT_LABEL_RE.test(value.slice(slash + 1)) && SUBDOMAIN_RE.test(value.slice(0, slash)))
    return [];
  const pattern = KEY_PATTERN;
  const parts = value.split('/');
  const errors: string[] = [];
  if (parts.length > 2) {
    return [`a valid label key ${pattern} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const name = parts[parts.length - 1] ?? '';
  const prefix = parts.length === 2 ? parts[0] : undefined;
  if (prefix === '') errors.push('prefix part must be non-empty');
  else if (prefix !== undefined)
    errors.push(...subdomainErrors(prefix, 'bytes').map((message) => `prefix part ${message}`));
  if (name === '') errors.push('name part must be non-empty');
  else if (byteLength(name) > MAX_LABEL_LENGTH) errors.push(`name part ${maxLengthMessage(MAX_LABEL_LENGTH, 'bytes')}`);
  if (!LABEL_KEY_RE.test(name)) errors.push(`name part ${pattern}`);
  return errors;
}

export function isLabelValue(value: string): string[] {
  if (value === '' || SHORT_LABEL_RE.test(value)) return [];
  const errors = tooLong(value, MAX_LABEL_LENGTH, 'bytes');
  if (!LABEL_KEY_RE.test(value)) errors.push(LABEL_VALUE_PATTERN);
  return errors;
}

/** A rule of object names: the messages for a name, or for a `generateName` when `prefix` is set. */
export type NameRule = (name: string, prefix: boolean) => string[];

/** A trailing dash of a prefix is no error: the suffix follows it. */
function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}

export const nameIsDNSSubdomain: NameRule = (name, prefix) =>
  isDNS1123Subdomain(prefix ? maskTrailingDash(name) : name);
/** The rule for names of Services before KEP-5311 relaxed it. */
export const nameIsDNS1035Label: NameRule = (name, prefix) => isDNS1035Label(prefix ? maskTrailingDash(name) : name);

export const nameIsDNSLabel: NameRule = (name, prefix) => isDNS1123Label(prefix ? maskTrailingDash(name) : name);
/** Names that need only fit into a path segment (RBAC objects, and the names of anything in an URL). */
export const nameIsPathSegment: NameRule = (name, prefix) => {
  if (!prefix && (name === '.' || name === '..')) return [`may not be '${name}'`];
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
};

const C_IDENTIFIER = '[A-Za-z_][A-Za-z0-9_]*';
const ENV_VAR_NAME = '[-._a-zA-Z][-._a-zA-Z0-9]*';
const CONFIG_KEY = '[-._a-zA-Z0-9]+';
const PERCENT = '[0-9]+%';
const HTTP_HEADER_NAME = '[-A-Za-z0-9]+';

function patternErrors(value: string, pattern: string, text: string, ...examples: readonly string[]): string[] {
  return new RegExp(`^${pattern}$`).test(value) ? [] : [patternMessage(text, pattern, ...examples)];
}

export function isCIdentifier(value: string): string[] {
  const text =
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'";
  return patternErrors(value, C_IDENTIFIER, text, 'my_name', 'MY_NAME', 'MyName');
}

/** Names such as `.`, `..` and `..data` would climb directories when mounted. */
function directoryErrors(value: string): string[] {
  if (value === '.' || value === '..') return [`must not be '${value}'`];
  return value.startsWith('..') ? ["must not start with '..'"] : [];
}

export function isEnvVarName(value: string): string[] {
  const text =
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit";
  return [
    ...patternErrors(value, ENV_VAR_NAME, text, 'my.env-name', 'MY_ENV.NAME', 'MyEnvName1'),
    ...directoryErrors(value),
  ];
}

export function isRelaxedEnvVarName(value: string): string[] {
  const errors = value === '' ? ['environment variable name must be non-empty'] : [];
  if (!/^[ -<>-~]*$/.test(value)) {
    errors.push("a valid environment variable name must consist only of printable ASCII characters other than '='");
  }
  return errors;
}

/** Keys of ConfigMaps and Secrets. */
export function isConfigMapKey(value: string): string[] {
  const text = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
  return [
    ...tooLong(value, MAX_SUBDOMAIN_LENGTH, 'characters'),
    ...patternErrors(value, CONFIG_KEY, text, 'key.name', 'KEY_NAME', 'key-name'),
    ...directoryErrors(value),
  ];
}

export function isValidPercent(value: string): string[] {
  return patternErrors(
    value,
    PERCENT,
    "a valid percent string must be a numeric string followed by an ending '%'",
    '1%',
    '93%',
  );
}

export function isHTTPHeaderName(value: string): string[] {
  return patternErrors(
    value,
    HTTP_HEADER_NAME,
    "a valid HTTP header must consist of alphanumeric characters or '-'",
    'X-Header-Name',
  );
}

export function isValidPortNumber(port: number): string[] {
  return port >= 1 && port <= 65_535 ? [] : [rangeMessage(1, 65_535)];
}

export function isInRange(value: Int64, low: number, high: number): string[] {
  return value >= low && value <= high ? [] : [rangeMessage(low, high)];
}

/** IANA service names, as ports of containers carry them. */
export function isValidPortName(name: string): string[] {
  const errors = tooLong(name, 15, 'characters');
  if (!/^[-a-z0-9]+$/.test(name)) errors.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(name)) errors.push('must contain at least one letter (a-z)');
  if (name.includes('--')) errors.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) errors.push('must not begin or end with a hyphen');
  return errors;
}
