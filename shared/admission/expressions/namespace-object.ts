import { getKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, type KubeObject } from '#shared/apimachinery/object.ts';

/** The fields of the metadata that expressions see: none of owners and field managers. */
const visible = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'finalizers',
] as const;

/** The variable `namespaceObject` (apiserver/pkg/admission/plugin/cel, CreateNamespaceObject). */
export function namespaceObject(namespace: KubeObject): JsonObject {
  const metadata: JsonObject = {};
  for (const key of visible) {
    const value = getKey(namespace.metadata, key);
    if (value !== undefined) metadata[key] = value;
  }
  return { metadata, spec: objectAt(namespace, 'spec') ?? {}, status: objectAt(namespace, 'status') ?? {} };
}
