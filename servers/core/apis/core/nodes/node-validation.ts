import { validateTaints } from '#servers/core/apis/core/pods/validation/taints.ts';
import type { Gates } from '#servers/core/gates/gates.ts';
import { isSloppyCidr, validateLegacyCidr } from '#servers/core/validation/ip-address.ts';
import { resourceAmounts, validateAmount } from '#servers/core/validation/quantities.ts';
import {
  duplicate,
  forbidden,
  internalError,
  invalid,
  path,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { int64At, type KubeObject, objectAt, objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { validateNodeAnnotations } from './node-annotations.ts';

const cidrsField = path('spec', 'podCIDRs');

/** Nodes (pkg/apis/core/validation, ValidateNode). */
export function validateNode(node: KubeObject, gates: Gates): FieldError[] {
  const cidrs = [...stringsAt(node, 'spec', 'podCIDRs')];
  const dual = cidrs.length === 2 && new Set(cidrs.map((cidr) => cidr.includes(':'))).size === 2;
  const wrong = cidrs.length > 1 ? cidrs.findIndex((cidr) => !isSloppyCidr(cidr)) : -1;
  const swap = int64At(node, 'status', 'nodeInfo', 'swap', 'capacity');
  return [
    ...validateShared(node),
    ...(swap === undefined || swap > 0
      ? []
      : [invalid(path('metadata', 'nodeSwapStatus', 'capacity'), swap, 'must be greater than zero')]),
    ...cidrs.flatMap((cidr, index) => validateLegacyCidr(cidr, gates, cidrsField.index(index))),
    ...(wrong < 0
      ? []
      : [
          internalError(
            cidrsField,
            `invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[${wrong}]: <nil> (invalid CIDR address: ${cidrs[wrong] ?? ''})`,
          ),
        ]),
    ...(cidrs.length <= 1 || dual
      ? []
      : [invalid(cidrsField, cidrs, 'may specify no more than one CIDR for each IP family')]),
  ];
}

/**
 * Checks that the reference makes for updates both of the object and of the status. They include the amounts in the
 * status.
 */
function validateShared(node: KubeObject): FieldError[] {
  return [
    ...validateNodeAnnotations(node, path('metadata', 'annotations')),
    // As in the reference, the path is below the metadata although taints are in the spec.
    ...validateTaints(objectsAt(node, 'spec', 'taints'), path('metadata', 'taints')),
    ...['capacity', 'allocatable'].flatMap((list) =>
      resourceAmounts(objectAt(node, 'status', list)).flatMap(([name, amount]) =>
        validateAmount(name, amount, path('status', list, name)),
      ),
    ),
    ...validateDeclaredFeatures(stringsAt(node, 'status', 'declaredFeatures'), path('status', 'declaredFeatures')),
  ];
}

const featureName = /^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/;
const maxFeatureLength = 253;

/** Validates the features that a kubelet declares (KEP-5328). */
function validateDeclaredFeatures(features: readonly string[], field: Path): FieldError[] {
  return features.flatMap((feature, index) => {
    const at = field.index(index);
    const before = features[index - 1];
    const wrong =
      feature.length > maxFeatureLength
        ? `must be no more than ${maxFeatureLength} characters`
        : featureName.test(feature)
          ? ''
          : "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes";
    return [
      ...(wrong === '' ? [] : [invalid(at, feature, `invalid feature name ${goQuote(feature)}: ${wrong}`)]),
      ...(before === feature
        ? [duplicate(at, feature)]
        : before !== undefined && before > feature
          ? [invalid(at, feature, 'list must be sorted alphabetically')]
          : []),
    ];
  });
}

/** Validates an update of a node or of its status. podCIDRs and providerID cannot change once they are set. */
export function validateNodeUpdate(node: KubeObject, old: KubeObject): FieldError[] {
  const [before, now] = [stringsAt(old, 'spec', 'podCIDRs'), stringsAt(node, 'spec', 'podCIDRs')];
  const changed =
    before.length === now.length
      ? before.filter((cidr, index) => cidr !== now[index]).length
      : Math.min(before.length, 1);
  const errors: FieldError[] = [
    ...validateShared(node),
    ...validateAddresses(objectsAt(node, 'status', 'addresses'), path('status', 'addresses')),
  ];
  for (let each = 0; each < changed; each++)
    errors.push(forbidden(path('spec', 'podCIDRs'), 'node updates may not change podCIDR except from "" to valid'));
  if (stringAt(node, 'spec', 'externalID') !== stringAt(old, 'spec', 'externalID'))
    errors.push(forbidden(path('spec', 'externalID'), 'may not be updated'));
  const [had, has] = [stringAt(old, 'spec', 'providerID'), stringAt(node, 'spec', 'providerID')];
  return had !== '' && had !== has
    ? [
        ...errors,
        forbidden(path('spec', 'providerID'), 'node updates may not change providerID except from "" to valid'),
      ]
    : errors;
}

function validateAddresses(addresses: readonly JsonObject[], field: Path): FieldError[] {
  const seen = new Set<string>();
  return addresses.flatMap((address, index) => {
    const shown = { Type: stringAt(address, 'type'), Address: stringAt(address, 'address') };
    const key = JSON.stringify(shown);
    const errors = seen.has(key) ? [duplicate(field.index(index), shown)] : [];
    seen.add(key);
    return errors;
  });
}
