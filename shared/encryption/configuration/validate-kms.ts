import { invalid, required, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { urlFault } from '#shared/apimachinery/validation/webhook-client-validation.ts';
import { formatDuration } from '#shared/apimachinery/values/duration.ts';
import type { KmsEntry } from './encryption-configuration.ts';

/** The errors of a `kms` entry. `names` are those of the entries before it. */
export function validateKms(kms: KmsEntry, field: Path, names: ReadonlySet<string>, isReloaded: boolean): FieldError[] {
  return [
    ...validateName(kms, field.child('name'), names, isReloaded),
    ...(kms.timeout > 0n
      ? []
      : [invalid(field.child('timeout'), formatDuration(kms.timeout), 'timeout should be a positive value')]),
    ...validateEndpoint(kms.endpoint, field.child('endpoint')),
    ...validateCacheSize(kms, field.child('cachesize')),
    ...(['v1', 'v2'].includes(kms.apiVersion)
      ? []
      : [
          invalid(
            field.child('apiVersion'),
            kms.apiVersion,
            'unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported',
          ),
        ]),
  ];
}

function validateName(
  { apiVersion, name }: KmsEntry,
  field: Path,
  names: ReadonlySet<string>,
  isReloaded: boolean,
): FieldError[] {
  const errors = name === '' ? [required(field, 'name is a mandatory field for a provider')] : [];
  if (apiVersion !== 'v1' && name.includes(':'))
    errors.push(invalid(field, name, `invalid KMS provider name ${name}, must not contain ':'`));
  if ((isReloaded || apiVersion !== 'v1') && names.has(name))
    errors.push(invalid(field, name, `duplicate KMS provider name ${name}, names must be unique`));
  return errors;
}

function validateCacheSize({ apiVersion, cacheSize }: KmsEntry, field: Path): FieldError[] {
  if (cacheSize === undefined) return [];
  if (apiVersion !== 'v1') return [invalid(field, cacheSize, 'cachesize is not supported in v2')];
  return cacheSize === 0
    ? [invalid(field, cacheSize, 'cachesize should be a positive value, or negative to disable')]
    : [];
}

function validateEndpoint(endpoint: string, field: Path): FieldError[] {
  if (endpoint === '') return [invalid(field, '', 'endpoint is a mandatory field for a kms')];
  const fault = urlFault(endpoint);
  if (fault !== undefined)
    return [invalid(field, endpoint, `invalid endpoint for kms provider, error: parse ${goQuote(endpoint)}: ${fault}`)];
  const scheme = schemeOf(endpoint);
  return scheme === 'unix'
    ? []
    : [invalid(field, endpoint, `unsupported scheme ${goQuote(scheme)} for KMS provider, only unix is supported`)];
}

function schemeOf(url: string): string {
  return /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase() ?? '';
}
