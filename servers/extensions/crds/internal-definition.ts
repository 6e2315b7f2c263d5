import { deepEqual } from '../../../shared/apimachinery/deep-equal.ts';
import { setKey, type JsonObject, type JsonValue } from '../../../shared/apimachinery/json.ts';
import { objectAt, objectsAt, type KubeObject } from '../../../shared/apimachinery/object.ts';

/** Member of a version → member of the spec that stands for all versions. */
export const hoistedMembers = [
  ['schema', 'validation'], ['subresources', 'subresources'], ['additionalPrinterColumns', 'additionalPrinterColumns'], ['selectableFields', 'selectableFields'],
] as const;

/**
 * The spec in the form that the reference validates and names in its errors: what is the same in all versions stands once,
 * in the spec itself (apiextensions-apiserver/pkg/apis/apiextensions/v1, conversion.go).
 */
export function internalSpec(object: KubeObject): JsonObject {
  const spec: JsonObject = { ...objectAt(object, 'spec') };
  const versions = objectsAt(spec, 'versions').map((version) => ({ ...version }));
  spec['versions'] = versions;
  const [first] = versions;
  if (first === undefined) return spec;
  for (const [member, name] of hoistedMembers) {
    const value: JsonValue | undefined = first[member];
    if (!versions.every((version) => deepEqual(version[member] ?? null, value ?? null))) continue;
    for (const version of versions) delete version[member];
    if (value !== undefined && value !== null) setKey(spec, name, value);
  }
  return spec;
}

/** Versions as Go prints its own type, for errors that show them all. */
export function printedVersions(spec: JsonObject): JsonValue {
  return objectsAt(spec, 'versions').map((version) => ({
    Name: version['name'] ?? '', Served: version['served'] ?? false, Storage: version['storage'] ?? false,
    Deprecated: version['deprecated'] ?? false, DeprecationWarning: version['deprecationWarning'] ?? null,
    Schema: version['schema'] ?? null, Subresources: version['subresources'] ?? null,
    AdditionalPrinterColumns: version['additionalPrinterColumns'] ?? null, SelectableFields: version['selectableFields'] ?? null,
  }));
}
