import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import { validateAddress } from '#servers/core/validation/ip-address.ts';
import { validateUnchanged } from '#servers/core/validation/unchanged.ts';
import { path, required, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { objectAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { isDNS1123Subdomain, nameIsPathSegment } from '#shared/apimachinery/validation/names.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { ipAddressRows } from './rows.ts';

const field = path('spec', 'parentRef');

/** IPAddresses, whose names are the addresses (pkg/apis/networking/validation). */
const ipAddressStrategy: Strategy = {
  generateName: (base) => base,
  validateName: (name) => validateAddress(name, path('metadata', 'name')).map((error) => error.detail),
  validate: validateParent,
  validateUpdate: (address, old) => [...validateParentKept(address, old), ...validateParent(address)],
};

function validateParent(address: KubeObject): FieldError[] {
  const parent = objectAt(address, 'spec', 'parentRef');
  if (!parent) return [required(field, '')];
  const [group, namespace] = [stringAt(parent, 'group'), stringAt(parent, 'namespace')];
  return [
    ...(group === '' ? [] : messages(isDNS1123Subdomain(group), field.child('group'), group)),
    ...validateSegment(stringAt(parent, 'resource'), field.child('resource')),
    ...validateSegment(stringAt(parent, 'name'), field.child('name')),
    ...(namespace === '' ? [] : messages(nameIsPathSegment(namespace, false), field.child('namespace'), namespace)),
  ];
}

function validateSegment(name: string, at: Path): FieldError[] {
  return name === '' ? [required(at, '')] : messages(nameIsPathSegment(name, false), at, name);
}

function validateParentKept(address: KubeObject, old: KubeObject): FieldError[] {
  return validateUnchanged(
    'io.k8s.api.networking.v1.ParentReference',
    objectAt(address, 'spec', 'parentRef'),
    objectAt(old, 'spec', 'parentRef'),
    field,
  );
}

export const ipAddressResource = defineBuiltIn({
  group: 'networking.k8s.io',
  resource: 'ipaddresses',
  rows: ipAddressRows,
  strategy: ipAddressStrategy,
  writes: {
    metadataOnUpdate: 'both',
  },
});
