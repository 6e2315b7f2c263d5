import {
  invalid,
  notSupported,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { isQualifiedName } from '#shared/apimachinery/validation/names.ts';

// Fields that environment variables and files of the downward API may refer to.

const environmentFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
const volumeFields = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];
/** Field paths that the downward API can convert (pkg/apis/core/pods, ConvertDownwardAPIFieldLabel). */
const convertible = [
  ...new Set([...environmentFields, ...volumeFields, 'spec.restartPolicy', 'spec.schedulerName', 'status.phase']),
];
const containerResources = ['cpu', 'ephemeral-storage', 'memory']
  .flatMap((name) => `limits.${name}`)
  .concat(['cpu', 'ephemeral-storage', 'memory'].map((name) => `requests.${name}`));
const byteDivisors = [
  '1',
  ...['k', 'M', 'G', 'T', 'P', 'E'].map((unit) => `1${unit}`),
  ...['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((unit) => `1${unit}`),
];

/** Splits `a['b']` into its two parts. */
function subscripted(text: string): { readonly base: string; readonly subscript: string | undefined } {
  // The part before the bracket must not have a line break.
  const lineEnd = text.search(/[\n\r\u2028\u2029]/);
  const at = text.endsWith("']")
    ? text.lastIndexOf("['", Math.min(text.length - 4, lineEnd < 0 ? text.length : lineEnd))
    : -1;
  return at < 1 ? { base: text, subscript: undefined } : { base: text.slice(0, at), subscript: text.slice(at + 2, -2) };
}

/** Validates a reference to a field of the pod, for an environment variable. */
export function validateVariableFieldRef(reference: JsonObject, field: Path): FieldError[] {
  return validateFieldRef(reference, environmentFields, field);
}

function validateFieldRef(reference: JsonObject, known: readonly string[], field: Path): FieldError[] {
  const version = stringAt(reference, 'apiVersion');
  const text = stringAt(reference, 'fieldPath');
  if (version === '') return [required(field.child('apiVersion'), '')];
  if (text === '') return [required(field.child('fieldPath'), '')];
  const { base, subscript } = subscripted(text);
  const convertError = conversionError(version, base, text, subscript);
  if (convertError !== '')
    return [invalid(field.child('fieldPath'), text, `error converting fieldPath: ${convertError}`)];
  if (subscript !== undefined) {
    if (base === 'metadata.annotations')
      return messages(isQualifiedName(subscript.toLowerCase()), field, subscript.toLowerCase());
    return base === 'metadata.labels'
      ? messages(isQualifiedName(subscript), field, subscript)
      : [invalid(field, base, 'does not support subscript')];
  }
  return known.includes(base) ? [] : [notSupported(field.child('fieldPath'), base, known)];
}

function conversionError(version: string, base: string, text: string, subscript: string | undefined): string {
  if (version !== 'v1') return `unsupported pod version: ${version}`;
  if (subscript !== undefined)
    return base === 'metadata.annotations' || base === 'metadata.labels'
      ? ''
      : `field label does not support subscript: ${text}`;
  return convertible.includes(base) || base === 'spec.host' ? '' : `field label not supported: ${text}`;
}

/** Validates a reference to a field of the pod, for a file of the downward API. */
export function validateVolumeFieldRef(reference: JsonObject, field: Path): FieldError[] {
  return validateFieldRef(reference, volumeFields, field);
}

/** Validates a reference to a resource of a container, for a variable or a file of the downward API. */
export function validateResourceRef(reference: JsonObject, inVolume: boolean, field: Path): FieldError[] {
  const resource = stringAt(reference, 'resource');
  const hugePages = /^(requests|limits)\.hugepages-/.test(resource);
  const errors: FieldError[] = [];
  if (inVolume && stringAt(reference, 'containerName') === '') errors.push(required(field.child('containerName'), ''));
  else if (resource === '') errors.push(required(field.child('resource'), ''));
  else if (!containerResources.includes(resource) && !hugePages)
    errors.push(notSupported(field.child('resource'), resource, containerResources));
  return [...errors, ...validateDivisor(resource, String(reference['divisor'] ?? '0'), field.child('divisor'))];
}

function validateDivisor(resource: string, divisor: string, field: Path): FieldError[] {
  if (divisor === '0') return [];
  const kind = /^(?:requests|limits)\.(cpu|memory|ephemeral-storage|hugepages-)/.exec(resource)?.[1];
  if (kind === undefined) return [];
  if (kind === 'cpu')
    return ['1m', '1'].includes(divisor)
      ? []
      : [invalid(field, resource, "only divisor's values 1m and 1 are supported with the cpu resource")];
  const name = kind === 'ephemeral-storage' ? 'local ephemeral storage' : kind === 'memory' ? 'memory' : 'hugepages';
  return byteDivisors.includes(divisor)
    ? []
    : [
        invalid(
          field,
          resource,
          `only divisor's values ${byteDivisors.join(', ')} are supported with the ${name} resource`,
        ),
      ];
}
