import type { DropDisabled } from '#servers/core/gates/disabled-fields.ts';
import type { Gates } from '#servers/core/gates/gates.ts';
import type { RuleOptions } from '#servers/core/gates/rule-options.ts';
import { invalid, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { keepOwnMetadata } from '#shared/registry/object-metadata.ts';
import type { ParentView } from '#shared/registry/rest.ts';
import { podQosClass } from './pod-qos.ts';
import { copyMember } from './validation/node-placement.ts';
import { refuseResize, validateResizeChange } from './validation/pod-resize-validation.ts';
import { validatePodObject } from './validation/pods.ts';

const lists = ['initContainers', 'containers'] as const;

/**
 * `pods/resize`: changes the resources of containers in place (KEP-1287), and those of the whole pod (KEP-5419).
 * @param drop removes fields whose feature gate is off
 */
export function resizeView(drop: DropDisabled, options: RuleOptions): ParentView {
  return {
    read: (pod) => pod,
    write(pod, body) {
      const next = resized(pod, body, options.gates);
      drop(objectAt(next, 'spec'), objectAt(pod, 'spec'));
      return next;
    },
    validate(pod, old) {
      const refusal = refuseResize(old);
      return refusal.length > 0
        ? refusal
        : validateResizeChange(pod, old, options.gates, [
            ...atOnce(validatePodObject(pod, options, old)),
            ...validateQosClass(pod, old, options.gates),
          ]);
    },
  };
}

/**
 * The pod with the resources of the body. If the body adds, removes or renames containers, its containers are kept, so
 * that validation refuses them.
 */
function resized(pod: KubeObject, body: KubeObject, gates: Gates): KubeObject {
  const [spec, before] = [objectAt(body, 'spec') ?? {}, objectAt(pod, 'spec') ?? {}];
  if (lists.some((list) => objectsAt(spec, list).length !== objectsAt(before, list).length)) return body;
  const next: JsonObject = { ...before };
  for (const list of lists) {
    const containers = objectsAt(spec, list);
    if (containers.length > 0) next[list] = withResources(containers, objectsAt(before, list));
  }
  if (gates.InPlacePodLevelResourcesVerticalScaling) copyMember(next, spec, 'resources');
  keepOwnMetadata(body.metadata, pod.metadata);
  return { ...pod, metadata: body.metadata, spec: next };
}

function withResources(now: readonly JsonObject[], then: readonly JsonObject[]): JsonObject[] {
  if (now.some((container, index) => stringAt(container, 'name') !== stringAt(then[index], 'name'))) return [...now];
  return then.map((container, index) => {
    const next = { ...container };
    for (const key of ['resources', 'resizePolicy']) copyMember(next, now[index], key);
    return next;
  });
}

function validateQosClass(pod: KubeObject, old: KubeObject, gates: Gates): FieldError[] {
  const before = stringAt(old, 'status', 'qosClass') || podQosClass(objectAt(old, 'spec') ?? {}, gates);
  return podQosClass(objectAt(pod, 'spec') ?? {}, gates) === before
    ? []
    : [
        invalid(
          path('spec'),
          stringAt(pod, 'status', 'qosClass'),
          'Pod QOS Class may not change as a result of resizing',
        ),
      ];
}
