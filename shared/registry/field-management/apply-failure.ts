import { formatGroupVersionKind } from '#shared/apimachinery/gvk.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';

/** The kind of an object as Go prints a GroupVersionKind: `/v1, Kind=Secret`. */
export function kindTextOf(config: JsonObject): string {
  const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
  const apiVersion = text(config['apiVersion']);
  const slash = apiVersion.indexOf('/');
  return formatGroupVersionKind({
    group: apiVersion.slice(0, Math.max(slash, 0)),
    version: apiVersion.slice(slash + 1),
    kind: text(config['kind']),
  });
}
