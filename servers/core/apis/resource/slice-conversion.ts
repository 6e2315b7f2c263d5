import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import type { Conversion } from '#shared/registry/rest.ts';

/**
 * ResourceSlices in v1beta1, where all members of a device except its name are below `basic`
 * (pkg/apis/resource/v1beta1/conversion.go).
 */
export const sliceConversion: Conversion = {
  toStorage: (slice) =>
    convertDevices(slice, ({ basic, ...device }) => ({ ...device, ...objectAt({ basic: basic ?? null }, 'basic') })),
  fromStorage: (slice) =>
    convertDevices(slice, ({ name, ...basic }) => ({ ...(name === undefined ? {} : { name }), basic })),
};

function convertDevices(slice: KubeObject, device: (from: JsonObject) => JsonObject): KubeObject {
  const spec = objectAt(slice, 'spec');
  if (spec?.['devices'] !== undefined) spec['devices'] = objectsAt(spec, 'devices').map(device);
  return slice;
}
