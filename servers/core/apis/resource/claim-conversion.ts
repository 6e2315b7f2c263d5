import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import type { Conversion } from '#shared/registry/rest.ts';

/** Fields that v1beta1 has in the request itself, and v1 below `exactly` (pkg/apis/resource/v1beta1/conversion.go). */
const exactFields = [
  'deviceClassName',
  'selectors',
  'allocationMode',
  'count',
  'adminAccess',
  'tolerations',
  'capacity',
];

/** ResourceClaims in v1beta1. */
export const claimConversion: Conversion = requestsBelow('spec');

/** ResourceClaimTemplates in v1beta1. */
export const claimTemplateConversion: Conversion = requestsBelow('spec', 'spec');

function requestsBelow(...path: readonly string[]): Conversion {
  const convert = (object: KubeObject, request: (from: JsonObject) => JsonObject): KubeObject => {
    const devices = objectAt(object, ...path, 'devices');
    if (devices?.['requests'] !== undefined) devices['requests'] = objectsAt(devices, 'requests').map(request);
    return object;
  };
  return {
    toStorage: (object) => convert(object, nested),
    fromStorage: (object) => convert(object, flattened),
  };
}

/** Moves the fields below `exactly` if any is set; validation reports errors in them. */
function nested(request: JsonObject): JsonObject {
  const exactly = Object.fromEntries(
    exactFields.flatMap((name) => (isSet(getKey(request, name)) ? [[name, getKey(request, name) ?? null]] : [])),
  );
  const rest = Object.fromEntries(Object.entries(request).filter(([name]) => !exactFields.includes(name)));
  return Object.keys(exactly).length === 0 ? rest : { ...rest, exactly };
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && value !== 0;
}

function flattened(request: JsonObject): JsonObject {
  const { exactly, ...rest } = request;
  return { ...rest, ...objectAt({ exactly: exactly ?? null }, 'exactly') };
}
