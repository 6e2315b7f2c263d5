import { resourceAmounts, compareAmounts, quantity } from '#servers/core/validation/quantities.ts';
import { isHugePages, validateResourceName } from '#servers/core/validation/resource-names.ts';
import {
  forbidden,
  invalid,
  notSupported,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { getKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { compareQuantities, formatQuantity } from '#shared/apimachinery/values/quantity.ts';
import { isPodLevelResource, podAmounts } from '#shared/objects/pod-resources.ts';
import { validateRequirements } from './resources.ts';

/**
 * Validates the pod-level `resources` (pkg/apis/core/validation, validatePodResources, KEP-2837). `field` is the path
 * of the spec.
 */
export function* validatePodResources(
  spec: JsonObject,
  claimNames: ReadonlySet<string>,
  field: Path,
): Steps<FieldError[]> {
  const resources = objectAt(spec, 'resources');
  if (resources === undefined) return [];
  const at = field.child('resources');
  if (stringAt(spec, 'os', 'name') === 'windows') return [forbidden(at, 'may not be set for a windows pod')];
  return [
    ...(resources['claims'] === undefined
      ? []
      : [forbidden(at.child('claims'), 'claims may not be set for Resources at pod-level')]),
    ...(yield* validateRequirements(resources, validatePodResourceName, claimNames, at)),
    ...validateAggregate(spec, resources, 'requests', () => true, at),
    // Huge pages cannot be overcommitted, so their limits are checked like requests.
    ...validateAggregate(spec, resources, 'limits', isHugePages, at),
    ...validateContainerLimits(spec, resources, at),
  ];
}

function validatePodResourceName(name: string, field: Path): FieldError[] {
  const errors = validateResourceName(name, field);
  return errors.length > 0 || isPodLevelResource(name)
    ? errors
    : [notSupported(field, name, ['cpu', 'hugepages-', 'memory'])];
}

/** The sum over the containers must not exceed the pod-level amount. */
function validateAggregate(
  spec: JsonObject,
  resources: JsonObject,
  list: 'requests' | 'limits',
  counts: (name: string) => boolean,
  field: Path,
): FieldError[] {
  const ofPod = objectAt(resources, list) ?? {};
  if (Object.keys(ofPod).length === 0) return [];
  return [...podAmounts(spec, list, false, () => false)].flatMap(([name, together]) => {
    const amount = getKey(ofPod, name);
    if (amount === undefined || !counts(name) || compareQuantities(together, quantity(amount)) <= 0) return [];
    return [
      invalid(
        field.child(list).key(name),
        String(amount),
        `must be greater than or equal to aggregate container ${list} of ${formatQuantity(together)}`,
      ),
    ];
  });
}

/** Container limits must not exceed the pod-level limits. The path of the error is the reference's. */
function validateContainerLimits(spec: JsonObject, resources: JsonObject, field: Path): FieldError[] {
  const ofPod = objectAt(resources, 'limits') ?? {};
  return objectsAt(spec, 'containers').flatMap((container, index) =>
    resourceAmounts(objectAt(container, 'resources', 'limits')).flatMap(([name, amount]) => {
      const limit = getKey(ofPod, name);
      if (limit === undefined || compareAmounts(amount, limit) <= 0) return [];
      return [
        invalid(
          field.child('containers').index(index).key(name).child('limits'),
          String(amount),
          `must be less than or equal to pod limits of ${String(limit)}`,
        ),
      ];
    }),
  );
}
