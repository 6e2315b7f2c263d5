import { isDNS1035Label, isDNS1123Subdomain } from '#shared/apimachinery/validation/names.ts';

const empty = 'must be non-empty';
const tooManyParts =
  "an apiVersion is a DNS-1035 label, which must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character " +
  "(e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')";

/** Error messages for `version` or `group/version` (pkg/apis/apiserverinternal/validation isValidAPIVersion). */
export function apiVersionErrors(text: string): string[] {
  const parts = text.split('/');
  if (parts.length > 2) return [tooManyParts];
  const [version = '', group] = parts.toReversed();
  return [
    ...(group === undefined ? [] : partErrors(group, isDNS1123Subdomain).map((message) => `group part: ${message}`)),
    ...partErrors(version, isDNS1035Label).map((message) => `version part: ${message}`),
  ];
}

function partErrors(text: string, rule: (text: string) => string[]): string[] {
  return text === '' ? [empty] : rule(text);
}
