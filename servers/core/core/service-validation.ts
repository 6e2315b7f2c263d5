import { duplicate, forbidden, invalid, path, required, type FieldError } from '../../../shared/apimachinery/field-error.ts';
import { nameIsDNS1035Label } from '../../../shared/apimachinery/names.ts';
import { numberAt, objectsAt, stringAt, stringsAt, type KubeObject } from '../../../shared/apimachinery/object.ts';

export const validateServiceName = nameIsDNS1035Label;

/** The rules on addresses and ports that allocation leans on (pkg/apis/core/validation, ValidateService). */
export function validateService(service: KubeObject): FieldError[] {
  const type = stringAt(service, 'spec', 'type');
  const headless = stringAt(service, 'spec', 'clusterIP') === 'None';
  const ports = objectsAt(service, 'spec', 'ports');
  const errors: FieldError[] = [];
  if (ports.length === 0 && !headless && type !== 'ExternalName') errors.push(required(path('spec', 'ports'), ''));
  if (headless && (type === 'NodePort' || type === 'LoadBalancer')) {
    errors.push(invalid(path('spec', 'clusterIPs').index(0), 'None', `may not be set to 'None' for ${type} services`));
  }
  if (type === 'ExternalName') errors.push(...validateExternalName(service));
  else errors.push(...validateClusterIPs(service));
  return [...errors, ...validatePorts(service)];
}

function validateExternalName(service: KubeObject): FieldError[] {
  const errors = stringsAt(service, 'spec', 'clusterIPs').length > 0 ? [forbidden(path('spec', 'clusterIPs'), 'may not be set for ExternalName services')] : [];
  return stringAt(service, 'spec', 'externalName') === '' ? [...errors, required(path('spec', 'externalName'), '')] : errors;
}

function validateClusterIPs(service: KubeObject): FieldError[] {
  const ip = stringAt(service, 'spec', 'clusterIP');
  const ips = [...stringsAt(service, 'spec', 'clusterIPs')];
  const field = path('spec', 'clusterIPs');
  if (ips.length > 0 && ip === '') return [invalid(field, ips, 'must be empty when `clusterIP` is not specified')];
  if (ips.length > 0 && ips[0] !== ip) return [invalid(field, ips, 'first value must match `clusterIP`')];
  if (ips.length > 2) return [invalid(field, ips, 'may only hold up to 2 values')];
  return [];
}

function validatePorts(service: KubeObject): FieldError[] {
  const ports = objectsAt(service, 'spec', 'ports');
  const names = new Set<string>();
  const errors: FieldError[] = [];
  for (const [index, port] of ports.entries()) {
    const field = path('spec', 'ports').index(index);
    const name = stringAt(port, 'name');
    if (ports.length > 1 && name === '') errors.push(required(field.child('name'), ''));
    if (name !== '' && names.has(name)) errors.push(duplicate(field.child('name'), name));
    names.add(name);
    const number = numberAt(port, 'port') ?? 0;
    if (number < 1 || number > 65_535) errors.push(invalid(field.child('port'), number, 'must be between 1 and 65535, inclusive'));
  }
  return errors;
}

/** An address stays with its Service until the Service becomes an ExternalName. */
export function validateServiceUpdate(service: KubeObject, old: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  const ips = [...stringsAt(service, 'spec', 'clusterIPs')];
  const before = stringsAt(old, 'spec', 'clusterIPs');
  const leaves = stringAt(service, 'spec', 'type') === 'ExternalName' || stringAt(old, 'spec', 'type') === 'ExternalName';
  if (!leaves && before[0] !== undefined && before[0] !== '' && ips[0] !== before[0]) {
    errors.push(invalid(path('spec', 'clusterIPs').index(0), ips, 'may not change once set'));
  }
  return [...errors, ...validateService(service)];
}
