import { forbidden, invalid, path, type FieldError } from '../../../shared/apimachinery/field-error.ts';
import { objectAt, objectsAt, stringAt, stringsAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import { validateLegacyCidr } from '../validation/ip-address.ts';
import { amountsOf, validateAmount } from '../validation/quantities.ts';
import { validateTaints } from '../validation/scheduling.ts';

const cidrsField = path('spec', 'podCIDRs');

/** Nodes (pkg/apis/core/validation, ValidateNode). */
export function validateNode(node: KubeObject): FieldError[] {
  const cidrs = [...stringsAt(node, 'spec', 'podCIDRs')];
  const dual = cidrs.length === 2 && new Set(cidrs.map((cidr) => cidr.includes(':'))).size === 2;
  return [
    // The reference gives the path of the metadata here.
    ...validateTaints(objectsAt(node, 'spec', 'taints'), path('metadata', 'taints')),
    ...['capacity', 'allocatable'].flatMap((list) => amountsOf(objectAt(node, 'status', list)).flatMap(([name, amount]) => validateAmount(name, amount, path('status', list, name)))),
    ...cidrs.flatMap((cidr, index) => validateLegacyCidr(cidr, cidrsField.index(index))),
    ...(cidrs.length <= 1 || dual ? [] : [invalid(cidrsField, cidrs, 'may specify no more than one CIDR for each IP family')]),
  ];
}

/** Addresses and the provider's name are given once. */
export function validateNodeUpdate(node: KubeObject, old: KubeObject): FieldError[] {
  const [before, now] = [stringsAt(old, 'spec', 'podCIDRs'), stringsAt(node, 'spec', 'podCIDRs')];
  // Taints are looked at by both halves of the reference's validation.
  const errors = [...validateNode(node), ...validateTaints(objectsAt(node, 'spec', 'taints'), path('metadata', 'taints'))];
  if (before.length > 0 && before.join(',') !== now.join(',')) errors.push(forbidden(path('spec', 'podCIDRs'), 'node updates may not change podCIDR except from "" to valid'));
  const [had, has] = [stringAt(old, 'spec', 'providerID'), stringAt(node, 'spec', 'providerID')];
  return had !== '' && had !== has ? [...errors, forbidden(path('spec', 'providerID'), 'node updates may not change providerID except from "" to valid')] : errors;
}
