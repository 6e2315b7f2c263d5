import { invalid, required, tooLong, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { isDNS1123Label, isDNS1123Subdomain } from '#shared/apimachinery/validation/names.ts';

const maxDomainLength = 253;
/** The maximum length: behind the domain, a label, a dot and a subdomain must fit. */
const maxLength = maxDomainLength + 1 + 63 + 1 + 253;

/** Validates a signer name such as `example.com/name` (pkg/apis/core/validation ValidateSignerName). */
export function validateSignerName(name: string, field: Path): FieldError[] {
  if (name === '') return [required(field, '')];
  const [domain = '', rest, ...more] = name.split('/');
  if (rest === undefined || more.length > 0)
    return [invalid(field, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")];
  const labels = domain.split('.');
  return [
    ...(domain.length > maxDomainLength ? [tooLong(field, '', maxDomainLength)] : []),
    ...firstErrors(domain, labels, isDNS1123Label, field),
    ...(labels.length < 2
      ? [invalid(field, domain, 'should be a domain with at least two segments separated by dots')]
      : []),
    ...firstErrors(rest, rest.split('.'), isDNS1123Subdomain, field),
    ...(name.length > maxLength ? [tooLong(field, '', maxLength)] : []),
  ];
}

/** The errors of the first invalid label. */
function firstErrors(
  text: string,
  labels: readonly string[],
  rule: (label: string) => string[],
  field: Path,
): FieldError[] {
  const bad = labels.find((label) => rule(label).length > 0);
  return bad === undefined
    ? []
    : rule(bad).map((message) => invalid(field, text, `validating label ${goQuote(bad)}: ${message}`));
}

/** Whether the signer is one of Kubernetes itself. */
export function isKubernetesSigner(name: string): boolean {
  const [host = ''] = name.split('/', 1);
  return host === 'kubernetes.io' || host.endsWith('.kubernetes.io');
}
