import { sameAs } from '../../../../shared/api/same-by-type.ts';
import { compareUtf8 } from '../../../../shared/apimachinery/go-format.ts';
import type { GroupResource } from '../../../../shared/apimachinery/gvk.ts';
import type { JsonObject } from '../../../../shared/apimachinery/json.ts';
import { isQualifiedName } from '../../../../shared/apimachinery/names.ts';
import { objectAt, objectsAt, stringAt } from '../../../../shared/apimachinery/object.ts';
import type {
  AdmissionAttributes,
  AdmissionOperation,
  AdmissionPlugin,
} from '../../../../shared/admission/contract/admission.ts';
import { isPods } from '../../../../shared/admission/contract/attribute-match.ts';
import { podSpec } from '../../../../shared/admission/objects/pod-spec.ts';

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
    for (const key of [...names].sort(compareUtf8)) tolerate(spec, { key, operator: 'Exists', effect: 'NoSchedule' });
  }
}

/** Adds a toleration; it replaces one that differs only in its seconds. */
function tolerate(spec: JsonObject, wanted: JsonObject): void {
  const present = objectsAt(spec, 'tolerations');
  const same = (item: JsonObject): boolean =>
    ['key', 'effect', 'operator', 'value'].every((field) => stringAt(item, field) === stringAt(wanted, field));
  if (present.some((item) => sameAs('io.k8s.api.core.v1.Toleration', item, wanted))) return;
  spec['tolerations'] = present.some((item) => same(item))
    ? present.map((item) => (same(item) ? wanted : item))
    : [...present, wanted];
}
