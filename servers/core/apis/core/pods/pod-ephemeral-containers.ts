import type { DropDisabled } from '#servers/core/gates/disabled-fields.ts';
import type { RuleOptions } from '#servers/core/gates/rule-options.ts';
import { goDiff } from '#servers/core/validation/go-diff.ts';
import { sameAs } from '#shared/api/same-by-type.ts';
import { forbidden, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { rootField } from '#shared/apimachinery/validation/field-rules.ts';
import { keepOwnMetadata } from '#shared/registry/object-metadata.ts';
import type { ParentView } from '#shared/registry/rest.ts';
import { copyMember } from './validation/node-placement.ts';
import { isMirror, validatePodAnnotationUpdate } from './validation/pod-annotations.ts';
import { validatePodObject } from './validation/pods.ts';

const model = 'io.k8s.api.core.v1.EphemeralContainer';

/**
 * `pods/ephemeralcontainers`: adds containers for debugging and changes nothing else (KEP-277).
 * @param drop removes fields whose feature gate is off
 */
export function ephemeralContainersView(drop: DropDisabled, options: RuleOptions): ParentView {
  return {
    read: (pod) => pod,
    write(pod, body) {
      const spec = { ...objectAt(pod, 'spec') };
      copyMember(spec, objectAt(body, 'spec'), 'ephemeralContainers');
      drop(spec, objectAt(pod, 'spec'));
      keepOwnMetadata(body.metadata, pod.metadata);
      return { ...pod, metadata: body.metadata, spec };
    },
    validate(pod, old) {
      if (isMirror(old.metadata)) return [forbidden(rootField, 'static pods do not support ephemeral containers')];
      return [
        ...atOnce(validatePodObject(pod, options, old)),
        ...validatePodAnnotationUpdate(pod, old, options.gates),
        ...validateChange(pod, old),
      ];
    },
  };
}

/**
 * Existing ephemeral containers may be neither changed nor removed. They are matched by name, since a patch does not
 * keep the order; of two with the same name the last counts.
 */
function validateChange(pod: KubeObject, old: KubeObject): FieldError[] {
  const field = path('spec', 'ephemeralContainers');
  const added = new Map(
    objectsAt(pod, 'spec', 'ephemeralContainers').map((container) => [stringAt(container, 'name'), container]),
  );
  return objectsAt(old, 'spec', 'ephemeralContainers').flatMap((before) => {
    const name = stringAt(before, 'name');
    const now = added.get(name);
    if (now === undefined)
      return [forbidden(field, `existing ephemeral containers ${goQuote(name)} may not be removed\n`)];
    return sameAs(model, now, before)
      ? []
      : [
          forbidden(
            field,
            `existing ephemeral containers ${goQuote(name)} may not be changed\n${goDiff(model, before, now)}`,
          ),
        ];
  });
}
