import { copyMember, copyNodeAffinity } from '#servers/core/apis/core/pods/validation/node-placement.ts';
import type { Gates } from '#servers/core/gates/gates.ts';
import { validateUnchanged } from '#servers/core/validation/unchanged.ts';
import type { FieldError, Path } from '#shared/apimachinery/errors/field-error.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ensureObject } from '#shared/apimachinery/set-default.ts';

/**
 * The pod template of a Job is immutable, except for a suspended Job without pods: its scheduling fields and its
 * resources may change (pkg/apis/batch/validation, KEP-2926 and KEP-5440). With the gates of KEP-5440 off, only the
 * scheduling fields of a Job that was never started may change. `field` is the path of the Job's spec.
 */
export function validateTemplateUpdate(spec: JsonObject, old: KubeObject, gates: Gates, field: Path): FieldError[] {
  const [template, before] = [objectAt(spec, 'template'), objectAt(old, 'spec', 'template')];
  const isIdle = isAtRest(old);
  const neverRan = objectAt(old, 'spec')?.['suspend'] === true && stringAt(old, 'status', 'startTime') === '';
  const kept = (gates.MutableSchedulingDirectivesForSuspendedJobs ? isIdle : neverRan)
    ? withPlacement(before ?? {}, template ?? {})
    : (before ?? {});
  if (!isIdle || !gates.MutablePodResourcesForSuspendedJobs)
    return validateUnchanged('io.k8s.api.core.v1.PodTemplateSpec', template ?? {}, kept, field.child('template'));
  const podSpec = objectAt(template, 'spec') ?? {};
  return validateUnchanged(
    'io.k8s.api.core.v1.PodSpec',
    podSpec,
    withResources(objectAt(kept, 'spec') ?? {}, podSpec),
    field.child('template', 'spec'),
  );
}

/** Whether the Job is suspended and has no pods. */
function isAtRest(job: KubeObject): boolean {
  const status = objectAt(job, 'status');
  const isSuspended = objectsAt(status, 'conditions').some(
    (condition) => stringAt(condition, 'type') === 'Suspended' && stringAt(condition, 'status') === 'True',
  );
  return (
    objectAt(job, 'spec')?.['suspend'] === true &&
    (stringAt(status, 'startTime') === '' || isSuspended) &&
    (numberAt(status, 'active') ?? 0) === 0
  );
}

/** The old template with the scheduling fields of the new one. */
function withPlacement(before: JsonObject, template: JsonObject): JsonObject {
  const changed = cloneJson(before);
  const [spec, changedSpec] = [objectAt(template, 'spec') ?? {}, ensureObject(changed, 'spec')];
  for (const key of ['nodeSelector', 'tolerations', 'schedulingGates']) copyMember(changedSpec, spec, key);
  copyNodeAffinity(changedSpec, spec);
  const metadata = { ...objectAt(changed, 'metadata') };
  for (const key of ['labels', 'annotations']) copyMember(metadata, objectAt(template, 'metadata') ?? {}, key);
  return { ...changed, metadata };
}

/** The old spec with the container resources of the new one, where both have the same containers. */
function withResources(before: JsonObject, spec: JsonObject): JsonObject {
  const changed = cloneJson(before);
  for (const list of ['containers', 'initContainers']) {
    const [now, then] = [objectsAt(spec, list), objectsAt(changed, list)];
    if (now.length === then.length)
      for (const [index, container] of now.entries())
        if (stringAt(container, 'name') === stringAt(then[index], 'name'))
          copyMember(then[index] ?? {}, container, 'resources');
  }
  return changed;
}
