import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { CoreContext } from '#servers/core/context/core-context.ts';
import {
  aggregateText,
  notSupported,
  path,
  required,
  type FieldError,
} from '#shared/apimachinery/errors/field-error.ts';
import { failureStatus, newBadRequest, newConflict, StatusError } from '#shared/apimachinery/errors/status.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ensureObject } from '#shared/apimachinery/set-default.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { timeFromMs } from '#shared/apimachinery/values/time.ts';
import type { OperationContext } from '#shared/registry/strategy.ts';
import { successStatus } from './success-status.ts';

/** Assigns a pod to a node, once (pkg/registry/core/pod/storage BindingREST). */
export function bindPod(core: CoreContext) {
  return async (name: string, binding: KubeObject, context: OperationContext): Promise<KubeObject> => {
    if (name !== '' && stringAt(binding, 'metadata', 'name') !== name)
      throw newBadRequest('name in URL does not match name in Binding object');
    const errors = validateBinding(binding);
    if (errors.length > 0) throw new StatusError(failureStatus(500, '', aggregateText(errors)));
    const podName = binding.metadata.name ?? '';
    // A Binding can also be a resource of its own, whose requests have no pod subresource.
    await core.store('', 'pods').update(
      {
        name: podName,
        subresource: 'binding',
        preconditions: {
          ...(binding.metadata.uid ? { uid: binding.metadata.uid } : {}),
          ...(binding.metadata.resourceVersion ? { resourceVersion: binding.metadata.resourceVersion } : {}),
        },
        retryOnConflict: true,
        leavesExisting: true,
        transform: (existing) => assign(existing as KubeObject, binding, context),
      },
      { ...context, subresource: 'binding' },
    );
    return successStatus(201);
  };
}

/** The pod with its node, in copies of what differs from the existing one. */
function assign(existing: KubeObject, binding: KubeObject, context: OperationContext): KubeObject {
  const pod: KubeObject = { ...existing, metadata: { ...existing.metadata } };
  const [spec, status] = [objectAt(existing, 'spec'), objectAt(existing, 'status')];
  if (spec !== undefined) pod['spec'] = { ...spec };
  if (status !== undefined) pod['status'] = { ...status };
  const name = pod.metadata.name ?? '';
  const refuse = (why: string) => newConflict({ group: '', resource: 'pods/binding' }, name, why);
  const node = stringAt(pod, 'spec', 'nodeName');
  if (pod.metadata.deletionTimestamp) throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
  if (node !== '') throw refuse(`pod ${name} is already assigned to node ${goQuote(node)}`);
  if (objectsAt(pod, 'spec', 'schedulingGates').length > 0)
    throw refuse(`pod ${name} has non-empty .spec.schedulingGates`);
  ensureObject(pod, 'spec')['nodeName'] = stringAt(binding, 'target', 'name');
  if (binding.metadata.annotations)
    pod.metadata.annotations = { ...pod.metadata.annotations, ...binding.metadata.annotations };
  if (binding.metadata.labels) pod.metadata.labels = { ...pod.metadata.labels, ...binding.metadata.labels };
  markScheduled(pod, context);
  return pod;
}

/** Replaces the condition in place, or adds it at the end. */
function markScheduled(pod: KubeObject, context: OperationContext): void {
  const status = ensureObject(pod, 'status');
  delete status['nominatedNodeName'];
  const scheduled = { type: 'PodScheduled', status: 'True', lastTransitionTime: timeFromMs(context.nowMs) };
  const conditions = [...objectsAt(status, 'conditions')];
  const at = conditions.findIndex((condition) => stringAt(condition, 'type') === 'PodScheduled');
  if (at < 0) conditions.push(scheduled);
  else conditions[at] = scheduled;
  status['conditions'] = conditions;
}

function validateBinding(binding: KubeObject): FieldError[] {
  const kind = stringAt(binding, 'target', 'kind');
  const errors: FieldError[] = [];
  if (kind !== '' && kind !== 'Node') errors.push(notSupported(path('target', 'kind'), kind, ['Node', '<empty>']));
  if (stringAt(binding, 'target', 'name') === '') errors.push(required(path('target', 'name'), ''));
  return errors;
}

/** POST to `bindings` binds the pod that the body names. */
export const bindingResource = defineBuiltIn({
  group: '',
  resource: 'bindings',
  creator({ core }) {
    const bind = bindPod(core);
    return (binding, context) => bind('', binding, context);
  },
});
