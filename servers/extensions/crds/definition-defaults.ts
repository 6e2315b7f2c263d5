import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, listAt, objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { statusOf } from './conditions.ts';

/** Sets the defaults of a definition (apiextensions-apiserver/pkg/apis/apiextensions/v1, defaults.go). */
export function setDefinitionDefaults(object: KubeObject): void {
  const spec = objectAt(object, 'spec');
  if (spec === undefined) return;
  const names = objectAt(spec, 'names');
  if (names !== undefined) defaultNames(names);
  if (objectAt(spec, 'conversion') === undefined) spec['conversion'] = { strategy: 'None' };
  for (const client of webhookServices(spec)) client['port'] ??= 443;
  if (listAt(object, 'status', 'storedVersions').length === 0) defaultStoredVersions(object, spec);
}

function defaultStoredVersions(object: KubeObject, spec: JsonObject): void {
  const storage = objectsAt(spec, 'versions').find((version) => booleanAt(version, 'storage') === true);
  if (storage !== undefined) statusOf(object)['storedVersions'] = [stringAt(storage, 'name')];
}

function defaultNames(names: JsonObject): void {
  const kind = stringAt(names, 'kind');
  if (stringAt(names, 'singular') === '' && kind !== '') names['singular'] = kind.toLowerCase();
  if (stringAt(names, 'listKind') === '' && kind !== '') names['listKind'] = `${kind}List`;
}

function webhookServices(spec: JsonObject): JsonObject[] {
  const service = objectAt(spec, 'conversion', 'webhook', 'clientConfig', 'service');
  return service === undefined ? [] : [service];
}
