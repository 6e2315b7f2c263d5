import { invalid, VerbatimValue, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { goJson } from '#shared/apimachinery/text/go-format.ts';
import { isQualifiedName } from '#shared/apimachinery/validation/names.ts';

// Names of resources such as `cpu` or `example.com/gpu` (pkg/apis/core/helper and validation).

const compute = ['cpu', 'memory', 'ephemeral-storage'];
const counted = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'persistentvolumeclaims',
  'configmaps',
  'services.nodeports',
  'services.loadbalancers',
];
const quota = new Set([
  ...compute,
  ...compute.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  'requests.storage',
  ...counted,
]);
const standard = new Set([...quota, 'storage']);
const integers = new Set(counted);

export function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

export function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

/** Whether limits may exceed requests, which is so for native resources except huge pages. */
export function allowsOvercommit(name: string): boolean {
  return isNative(name) && !isHugePages(name);
}

export function isExtendedResource(name: string): boolean {
  return !isNative(name) && !name.startsWith('requests.') && isQualifiedName(`requests.${name}`).length === 0;
}

/** Whether a resource is counted in whole units. */
export function isIntegerResource(name: string): boolean {
  return integers.has(name) || isExtendedResource(name);
}

export function isStandardQuotaResource(name: string): boolean {
  return quota.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-');
}

/** The name in error messages: a resource name is a type of its own in Go, and is printed as JSON. */
function shown(name: string): VerbatimValue {
  return new VerbatimValue(goJson(name));
}

export function validateResourceName(name: string, field: Path): FieldError[] {
  const errors = isQualifiedName(name).map((text) => invalid(field, shown(name), text));
  if (
    errors.length > 0 ||
    name.includes('/') ||
    standard.has(name) ||
    isHugePages(name) ||
    name.startsWith('requests.hugepages-')
  )
    return errors;
  return [invalid(field, shown(name), 'must be a standard resource type or fully qualified')];
}

export function validateContainerResourceName(name: string, field: Path): FieldError[] {
  const errors = validateResourceName(name, field);
  if (!name.includes('/')) {
    return compute.includes(name) || isHugePages(name)
      ? errors
      : [...errors, invalid(field, shown(name), 'must be a standard resource for containers')];
  }
  return isNative(name) || isExtendedResource(name)
    ? errors
    : [...errors, invalid(field, shown(name), "doesn't follow extended resource name standard")];
}

export function validateQuotaResourceName(name: string, field: Path): FieldError[] {
  const errors = validateResourceName(name, field);
  return name.includes('/') || isStandardQuotaResource(name)
    ? errors
    : [...errors, invalid(field, shown(name), 'must be a standard resource for quota')];
}
