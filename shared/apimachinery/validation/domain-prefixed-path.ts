import { invalid, required, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { messages } from './field-rules.ts';
import { isDNS1123Subdomain, patternMessage } from './names.ts';

const pathPattern = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const path = new RegExp(`^${pathPattern}$`);

/** A name such as `acme.io/foo` (apimachinery/pkg/util/validation IsDomainPrefixedPath). */
export function validateDomainPrefixedPath(value: string, field: Path): FieldError[] {
  if (value === '') return [required(field, '')];
  const slash = value.indexOf('/');
  const [host, rest] = [value.slice(0, Math.max(slash, 0)), value.slice(slash + 1)];
  if (host === '' || rest === '')
    return [invalid(field, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  return [
    ...messages(isDNS1123Subdomain(host), field, host),
    ...(path.test(rest) ? [] : [invalid(field, rest, patternMessage('Invalid path', pathPattern))]),
  ];
}
