import { printedSchema } from '#servers/extensions/schema/printed-schema.ts';
import { sameMembers } from '#shared/api/same-by-type.ts';
import { getKey, isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, type KubeObject } from '#shared/apimachinery/object.ts';

const versionModel = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionVersion';

/** Member of a version → member of the spec that holds the value shared by all versions. */
export const hoistedMembers = [
  ['schema', 'validation'],
  ['subresources', 'subresources'],
  ['additionalPrinterColumns', 'additionalPrinterColumns'],
  ['selectableFields', 'selectableFields'],
] as const;

/**
 * The spec in the form that the reference validates and names in its errors: a member that is the same in all versions
 * is moved from the versions to the spec itself (apiextensions-apiserver/pkg/apis/apiextensions/v1, conversion.go).
 */
export function internalSpec(object: KubeObject): JsonObject {
  const spec: JsonObject = { ...objectAt(object, 'spec') };
  const versions = objectsAt(spec, 'versions').map((version) => ({ ...version }));
  if (Array.isArray(spec['versions'])) spec['versions'] = versions;
  const [first] = versions;
  if (first === undefined) return spec;
  for (const [member, name] of hoistedMembers) {
    const value: JsonValue | undefined = first[member];
    if (!versions.every((version) => sameMembers(versionModel, [member], version, first))) continue;
    for (const version of versions) delete version[member];
    if (value !== undefined && value !== null) setKey(spec, name, value);
  }
  return spec;
}

/** The versions as Go prints its internal type, for errors whose value is the whole list. */
export function printedVersions(spec: JsonObject): JsonValue {
  if (!Array.isArray(spec['versions'])) return null;
  return objectsAt(spec, 'versions').map((version) => {
    const schema = objectAt(version, 'schema');
    const openApi = objectAt(schema, 'openAPIV3Schema');
    return {
      Name: version['name'] ?? '',
      Served: version['served'] ?? false,
      Storage: version['storage'] ?? false,
      Deprecated: version['deprecated'] ?? false,
      DeprecationWarning: version['deprecationWarning'] ?? null,
      Schema: schema === undefined ? null : { OpenAPIV3Schema: openApi === undefined ? null : printedSchema(openApi) },
      Subresources: printedSubresources(objectAt(version, 'subresources')),
      AdditionalPrinterColumns: printedList(version['additionalPrinterColumns'], columnMembers),
      SelectableFields: printedList(version['selectableFields'], [['JSONPath', 'jsonPath', '']]),
    };
  });
}

type Member = readonly [goName: string, name: string, zero: JsonValue];

const columnMembers: readonly Member[] = [
  ['Name', 'name', ''],
  ['Type', 'type', ''],
  ['Format', 'format', ''],
  ['Description', 'description', ''],
  ['Priority', 'priority', 0],
  ['JSONPath', 'jsonPath', ''],
];
const scaleMembers: readonly Member[] = [
  ['SpecReplicasPath', 'specReplicasPath', ''],
  ['StatusReplicasPath', 'statusReplicasPath', ''],
  ['LabelSelectorPath', 'labelSelectorPath', null],
];

function printedSubresources(subresources: JsonObject | undefined): JsonValue {
  if (subresources === undefined) return null;
  const scale = objectAt(subresources, 'scale');
  return {
    Status: objectAt(subresources, 'status') === undefined ? null : {},
    Scale: scale === undefined ? null : printedMembers(scale, scaleMembers),
  };
}

function printedList(list: JsonValue | undefined, members: readonly Member[]): JsonValue {
  return Array.isArray(list) && list.length > 0
    ? list.map((item) => printedMembers(isObject(item) ? item : {}, members))
    : null;
}

function printedMembers(object: JsonObject, members: readonly Member[]): JsonObject {
  return Object.fromEntries(members.map(([goName, name, zero]) => [goName, getKey(object, name) ?? zero]));
}
