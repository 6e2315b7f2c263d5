import { invalid, path } from '../apimachinery/field-error.ts';
import { newInvalid } from '../apimachinery/status.ts';
import { formatLabelSelector, labelSelectorAsSelector, selectorFromSet } from '../apimachinery/labels.ts';
import { numberAt, objectAt, stringMapAt, type KubeObject } from '../apimachinery/object.ts';
import { ensureObject } from '../apimachinery/set-default.ts';
import type { ParentView } from './rest.ts';
import { scaleObject } from './scale-object.ts';

type Selector = 'object' | 'labels';

/**
 * The autoscaling/v1 Scale of a workload: replicas to read and write, and the selector as text.
 * @param selector how the workload selects: by a LabelSelector, or (ReplicationController) by plain labels
 */
export function scaleView(selector: Selector = 'object'): ParentView {
  return {
    read: (parent) => scaleOf(parent, selector),
    write(_context, parent, body) {
      const replicas = numberAt(body, 'spec', 'replicas') ?? 0;
      if (replicas < 0) {
        const error = invalid(path('spec', 'replicas'), replicas, 'must be greater than or equal to 0');
        throw newInvalid({ group: 'autoscaling', kind: 'Scale' }, body.metadata.name ?? '', [error]);
      }
      ensureObject(parent, 'spec')['replicas'] = replicas;
      // The version of the Scale is that of its parent: an old one is a conflict.
      parent.metadata.resourceVersion = body.metadata.resourceVersion ?? '';
      return parent;
    },
  };
}

function scaleOf(parent: KubeObject, selector: Selector): KubeObject {
  return scaleObject(parent, {
    wanted: numberAt(parent, 'spec', 'replicas') ?? 0,
    observed: numberAt(parent, 'status', 'replicas') ?? 0,
    selector: selectorText(parent, selector),
  });
}

function selectorText(parent: KubeObject, selector: Selector): string {
  if (selector === 'labels') return formatLabelSelector(selectorFromSet(Object.fromEntries(stringMapAt(parent, 'spec', 'selector'))));
  const object = objectAt(parent, 'spec', 'selector');
  return object === undefined ? '' : formatLabelSelector(labelSelectorAsSelector(object));
}
