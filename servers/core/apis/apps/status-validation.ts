import { invalid, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { int64At, type KubeObject, numberAt, objectAt } from '#shared/apimachinery/object.ts';
import { nonNegativeFields } from '#shared/apimachinery/validation/field-rules.ts';

// Counts in the status of workloads (pkg/apis/apps/validation).

const status = path('status');

interface Limit {
  readonly field: string;
  readonly most: string;
  readonly detail: string;
}

const ofReplicas = (field: string): Limit => ({
  field,
  most: 'replicas',
  detail: 'cannot be greater than status.replicas',
});

function validateCounts(object: KubeObject, counts: readonly string[], limits: readonly Limit[]): FieldError[] {
  const body = objectAt(object, 'status');
  const at = (name: string) => int64At(body, name) ?? 0;
  const over = limits.filter(({ field, most }) => at(field) > at(most));
  return [
    ...nonNegativeFields(body, counts, status),
    ...over.map(({ field, detail }) => invalid(status.child(field), at(field), detail)),
  ];
}

function validateCollisions(object: KubeObject, old: KubeObject): FieldError[] {
  const before = numberAt(old, 'status', 'collisionCount');
  const now = numberAt(object, 'status', 'collisionCount');
  const fell = before !== undefined && (now === undefined || now < before);
  return fell ? [invalid(status.child('collisionCount'), now ?? 0, 'cannot be decremented')] : [];
}

export function validateDeploymentStatus(deployment: KubeObject, old: KubeObject): FieldError[] {
  const counts = [
    'observedGeneration',
    'replicas',
    'updatedReplicas',
    'readyReplicas',
    'availableReplicas',
    'unavailableReplicas',
    'terminatingReplicas',
    'collisionCount',
  ];
  const limits = [
    ofReplicas('updatedReplicas'),
    ofReplicas('readyReplicas'),
    ofReplicas('availableReplicas'),
    availableOfReady,
  ];
  return [...validateCounts(deployment, counts, limits), ...validateCollisions(deployment, old)];
}

export function validateReplicaSetStatus(replicaSet: KubeObject): FieldError[] {
  const counts = [
    'replicas',
    'fullyLabeledReplicas',
    'readyReplicas',
    'availableReplicas',
    'terminatingReplicas',
    'observedGeneration',
  ];
  return validateCounts(replicaSet, counts, [
    ofReplicas('fullyLabeledReplicas'),
    ofReplicas('readyReplicas'),
    ofReplicas('availableReplicas'),
    availableOfReady,
  ]);
}

export function validateStatefulSetStatus(statefulSet: KubeObject, old: KubeObject): FieldError[] {
  const counts = [
    'replicas',
    'readyReplicas',
    'currentReplicas',
    'updatedReplicas',
    'availableReplicas',
    'observedGeneration',
    'collisionCount',
  ];
  const limits = [
    ofReplicas('readyReplicas'),
    ofReplicas('currentReplicas'),
    ofReplicas('updatedReplicas'),
    ofReplicas('availableReplicas'),
    { ...availableOfReady, detail: 'cannot be greater than status.readyReplicas' },
  ];
  return [...validateCounts(statefulSet, counts, limits), ...validateCollisions(statefulSet, old)];
}

export function validateDaemonSetStatus(daemonSet: KubeObject, old: KubeObject): FieldError[] {
  const counts = [
    'currentNumberScheduled',
    'numberMisscheduled',
    'desiredNumberScheduled',
    'numberReady',
    'observedGeneration',
    'updatedNumberScheduled',
    'numberAvailable',
    'numberUnavailable',
    'collisionCount',
  ];
  return [...validateCounts(daemonSet, counts, []), ...validateCollisions(daemonSet, old)];
}

const availableOfReady: Limit = {
  field: 'availableReplicas',
  most: 'readyReplicas',
  detail: 'cannot be greater than readyReplicas',
};
