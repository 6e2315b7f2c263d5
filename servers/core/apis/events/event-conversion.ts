import { setKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { Conversion } from '#shared/registry/rest.ts';

/** Pairs of field names: in events.k8s.io/v1, and in the stored v1 (pkg/apis/events/v1/conversion.go). */
const renamed: readonly (readonly [events: string, core: string])[] = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
];

/** events.k8s.io/v1 and v1 are two names of one stored resource. */
export const eventConversion: Conversion = {
  toStorage: (event) => rename(event, (name) => renamed.find(([events]) => events === name)?.[1]),
  fromStorage: (event) => rename(event, (name) => renamed.find(([, core]) => core === name)?.[0]),
};

function rename(event: KubeObject, nameOf: (name: string) => string | undefined): KubeObject {
  const converted: KubeObject = { metadata: event.metadata };
  const fields: JsonObject = converted;
  for (const [name, value] of Object.entries(event)) {
    if (name !== 'metadata') setKey(fields, nameOf(name) ?? name, value satisfies JsonValue);
  }
  return converted;
}
