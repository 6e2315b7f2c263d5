import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { isPods } from '#shared/admission/contract/attribute-match.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { int64At, objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import { isQualifiedName } from '#shared/apimachinery/validation/names.ts';
import { podSpec } from '#shared/objects/pod-spec.ts';

const quotaPrefix = 'requests.';

/** Whether a resource is an extended one, such as a vendor's device (pkg/apis/core/helper IsExtendedResourceName). */
function isExtendedResource(name: string): boolean {
  if (!name.includes('/') || name.includes('kubernetes.io/') || name.startsWith(quotaPrefix)) return false;
  return isQualifiedName(quotaPrefix + name).length === 0;
}

/**
 * Adds tolerations to pods for the taints of nodes that are dedicated to the extended resources they request
 * (plugin/pkg/admission/extendedresourcetoleration).
 */
export class ExtendedResourceToleration implements AdmissionPlugin {
  readonly name = 'ExtendedResourceToleration';

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return isPods(resource) && (operation === 'CREATE' || operation === 'UPDATE');
  }

  admit({ object: pod, subresource }: AdmissionAttributes): void {
    if (pod === undefined || subresource !== '') return;
    const spec = podSpec(pod);
    const containers = [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')];
    const names = new Set(
      containers
        .flatMap((container) => Object.keys(objectAt(container, 'resources', 'requests') ?? {}))
        .filter((name) => isExtendedResource(name)),
    );
    tolerate(spec, [...names].sort(compareUtf8));
  }
}

/** Adds tolerations of these keys; each replaces those that differ from it only in their seconds. */
function tolerate(spec: JsonObject, keys: readonly string[]): void {
  const present = objectsAt(spec, 'tolerations');
  const alike = present.filter((item) => tolerates(item));
  const settled = new Set(alike.filter((item) => int64At(item, 'tolerationSeconds') === undefined).map(keyOf));
  const missing = new Map(keys.filter((key) => !settled.has(key)).map((key) => [key, toleration(key)]));
  if (missing.size === 0) return;
  const replaced = new Set(alike.map(keyOf));
  spec['tolerations'] = [
    ...present.map((item) => (tolerates(item) ? missing.get(keyOf(item)) : undefined) ?? item),
    ...[...missing].flatMap(([key, wanted]) => (replaced.has(key) ? [] : [wanted])),
  ];
}

function toleration(key: string): JsonObject {
  return { key, operator: 'Exists', effect: 'NoSchedule' };
}

/** Whether an item is such a toleration, with any seconds. */
function tolerates(item: JsonObject): boolean {
  return (
    stringAt(item, 'operator') === 'Exists' &&
    stringAt(item, 'effect') === 'NoSchedule' &&
    stringAt(item, 'value') === ''
  );
}

function keyOf(item: JsonObject): string {
  return stringAt(item, 'key');
}
