import { setKey } from '#shared/apimachinery/json/json.ts';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
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

const coreNames = new Map(renamed);
const eventNames = new Map(renamed.map(([events, core]) => [core, events]));

/** events.k8s.io/v1 and v1 are two names of one stored resource. */
export const eventConversion: Conversion = {
  toStorage: (event) => rename(event, coreNames),
  fromStorage: (event) => rename(event, eventNames),
};

function rename(event: KubeObject, names: ReadonlyMap<string, string>): KubeObject {
  const converted: KubeObject = { metadata: event.metadata };
  for (const name of Object.keys(event)) {
    const value = event[name];
    if (name !== 'metadata' && value !== undefined) setKey<JsonValue>(converted, names.get(name) ?? name, value);
  }
  return converted;
}
