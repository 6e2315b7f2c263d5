import { invalid, path } from '#shared/apimachinery/errors/field-error.ts';
import { newConflict, newInvalid } from '#shared/apimachinery/errors/status.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { numberAt, objectAt, stringMapAt, type KubeObject } from '#shared/apimachinery/object.ts';
import {
  formatLabelSelector,
  labelSelectorAsSelector,
  selectorFromSet,
} from '#shared/apimachinery/selectors/labels.ts';
import { ensureObject } from '#shared/apimachinery/set-default.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { validateObjectMeta } from '#shared/apimachinery/validation/meta-validation.ts';
import { nameIsDNSSubdomain } from '#shared/apimachinery/validation/names.ts';
import { failedPrecondition } from './preconditions.ts';
import type { ParentView } from './rest.ts';
import { scaleObject } from './scale-object.ts';

type Selector = 'object' | 'labels';

/**
 * The autoscaling/v1 Scale of a workload: replicas to read and write, and the selector as text.
 * @param resource of the workload
 * @param selector how the workload selects: by a LabelSelector, or (ReplicationController) by plain labels
 */
export function scaleView(resource: GroupResource, selector: Selector = 'object'): ParentView {
  return {
    read: (parent) => scaleOf(parent, selector),
    write(parent, body) {
      const replicas = numberAt(body, 'spec', 'replicas') ?? 0;
      const errors = atOnce(validateObjectMeta(body.metadata, true, nameIsDNSSubdomain, path('metadata')));
      if (replicas < 0) errors.push(invalid(path('spec', 'replicas'), replicas, 'must be greater than or equal to 0'));
      if (errors.length > 0)
        throw newInvalid({ group: 'autoscaling', kind: 'Scale' }, parent.metadata.name ?? '', errors);
      refuseOtherUid(resource, parent, body);
      ensureObject(parent, 'spec')['replicas'] = replicas;
      // The resourceVersion of a Scale is that of its parent, so an old one is a conflict.
      parent.metadata.resourceVersion = body.metadata.resourceVersion ?? '';
      return parent;
    },
  };
}

/** Refuses a patch or a body whose uid is not that of the parent. */
function refuseOtherUid({ group, resource }: GroupResource, parent: KubeObject, body: KubeObject): void {
  const failed = failedPrecondition({ uid: body.metadata.uid ?? '' }, parent);
  if (body.metadata.uid && failed !== undefined)
    throw newConflict({ group, resource: `${resource}/scale` }, parent.metadata.name ?? '', failed);
}

function scaleOf(parent: KubeObject, selector: Selector): KubeObject {
  return scaleObject(parent, {
    wanted: numberAt(parent, 'spec', 'replicas') ?? 0,
    observed: numberAt(parent, 'status', 'replicas') ?? 0,
    selector: selectorText(parent, selector),
  });
}

function selectorText(parent: KubeObject, selector: Selector): string {
  if (selector === 'labels')
    return formatLabelSelector(selectorFromSet(Object.fromEntries(stringMapAt(parent, 'spec', 'selector'))));
  const object = objectAt(parent, 'spec', 'selector');
  return object === undefined ? '' : formatLabelSelector(labelSelectorAsSelector(object));
}
