import { resourceAmounts, quantity } from '#servers/core/validation/quantities.ts';
import { isNative } from '#servers/core/validation/resource-names.ts';
import { textOfNamedType } from '#shared/apimachinery/errors/field-error-type.ts';
import {
  duplicate,
  forbidden,
  invalid,
  path,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import { listAt, objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { isDNS1123Label, nameIsDNSSubdomain } from '#shared/apimachinery/validation/names.ts';
import { repetitions } from '#shared/apimachinery/validation/repetitions.ts';
import { quantitySign } from '#shared/apimachinery/values/quantity.ts';

const status = path('status');

/** Validates the device claims in the status of a pod (pkg/apis/core/validation, validatePodResourceClaimStatuses). */
export function validateClaimStatuses(pod: KubeObject): FieldError[] {
  return [
    ...validateNamedClaims(pod, status.child('resourceClaimStatuses')),
    ...validateExtendedClaim(pod, status.child('extendedResourceClaimStatus')),
    ...validateNodeResources(pod, status.child('nodeAllocatableResourceClaimStatuses')),
    // Containers for debugging have no resources.
    ...objectsAt(pod, 'status', 'ephemeralContainerStatuses').flatMap((container, index) =>
      objectsAt(container, 'allocatedResourcesStatus').length === 0
        ? []
        : [
            forbidden(
              status.child('ephemeralContainerStatuses').index(index).child('allocatedResourcesStatus'),
              'must not be specified in container status',
            ),
          ],
    ),
  ];
}

function validateNamedClaims(pod: KubeObject, field: Path): FieldError[] {
  const known = new Set(objectsAt(pod, 'spec', 'resourceClaims').map((claim) => stringAt(claim, 'name')));
  const statuses = objectsAt(pod, 'status', 'resourceClaimStatuses');
  const repeated = repetitions(statuses.map((claim) => stringAt(claim, 'name')));
  return statuses.flatMap((claim, index) => {
    const [name, reference, at] = [stringAt(claim, 'name'), claim['resourceClaimName'], field.index(index)];
    return [
      ...(known.has(name)
        ? []
        : [invalid(at.child('name'), name, 'must match the name of an entry in `spec.resourceClaims`')]),
      ...(repeated[index] === true ? [duplicate(at.child('name'), name)] : []),
      ...(typeof reference === 'string'
        ? messages(nameIsDNSSubdomain(reference, false), at.child('resourceClaimName'), textOfNamedType(reference))
        : []),
    ];
  });
}

/** Validates which resources of the node itself claims use (KEP-5517). */
function validateNodeResources(pod: KubeObject, field: Path): FieldError[] {
  const claims = new Set(
    [...objectsAt(pod, 'spec', 'resourceClaims'), ...objectsAt(pod, 'status', 'resourceClaimStatuses')].map(
      (claim) => claim['resourceClaimName'],
    ),
  );
  return objectsAt(pod, 'status', 'nodeAllocatableResourceClaimStatuses').flatMap((item, index) => {
    const [at, name, amounts] = [
      field.index(index),
      stringAt(item, 'resourceClaimName'),
      resourceAmounts(objectAt(item, 'resources')),
    ];
    return [
      ...(name === '' ? [required(at.child('resourceClaimName'), 'must not be empty')] : []),
      ...(claims.has(name) ? [] : [invalid(at.child('resourceClaimName'), name, 'no mapping found in pod reference')]),
      ...(listAt(item, 'containers').length === 0 ? [required(at.child('containers'), 'must not be empty')] : []),
      ...(amounts.length === 0 ? [required(at.child('resources'), 'must not be empty')] : []),
      ...amounts.flatMap(([resource, amount]) => [
        ...(isNative(resource)
          ? []
          : [invalid(at.child('resources').key(resource), resource, 'must be a node allocatable resource name')]),
        ...(quantitySign(quantity(amount)) < 0
          ? [invalid(at.child('resources').key(resource), String(amount), 'must be non-negative')]
          : []),
      ]),
    ];
  });
}

/** Validates the status of the claim that was created for extended resources of a device class (KEP-5004). */
function validateExtendedClaim(pod: KubeObject, field: Path): FieldError[] {
  const claim = objectAt(pod, 'status', 'extendedResourceClaimStatus');
  if (claim === undefined) return [];
  const containers = new Map(
    ['initContainers', 'containers']
      .flatMap((list) => objectsAt(pod, 'spec', list))
      .map((container) => [stringAt(container, 'name'), container]),
  );
  const [mappings, name] = [objectsAt(claim, 'requestMappings'), stringAt(claim, 'resourceClaimName')];
  const keys = mappings.map((mapping) =>
    ['containerName', 'resourceName', 'requestName'].map((key) => stringAt(mapping, key)),
  );
  const repeated = repetitions(keys.map((key) => JSON.stringify(key)));
  return [
    ...(mappings.length === 0
      ? [required(field.child('requestMappings'), 'at least one request mapping is required')]
      : []),
    ...keys.flatMap(([container = '', resource = '', request = ''], index) => {
      const at = field.child('requestMappings').index(index);
      const found = containers.get(container);
      const misses =
        found === undefined
          ? [
              invalid(
                at.child('containerName'),
                container,
                'must match the name of an entry in spec.initContainers.name or spec.containers.name',
              ),
            ]
          : getKey(objectAt(found, 'resources', 'requests'), resource) !== undefined
            ? []
            : [
                invalid(
                  at.child('resourceName'),
                  resource,
                  'must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests',
                ),
              ];
      return [
        ...misses,
        ...messages(isDNS1123Label(request), field.child('requestName'), request),
        ...(repeated[index] === true
          ? [
              duplicate(at.child('containerName'), container),
              duplicate(at.child('resourceName'), resource),
              duplicate(at.child('requestName'), request),
            ]
          : []),
      ];
    }),
    ...(name === ''
      ? [required(field.child('resourceClaimName'), '')]
      : messages(nameIsDNSSubdomain(name, false), field.child('resourceClaimName'), name)),
  ];
}
