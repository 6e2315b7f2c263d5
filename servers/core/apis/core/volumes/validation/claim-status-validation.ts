import { resourceAmounts, quantity, validateAmount } from '#servers/core/validation/quantities.ts';
import {
  invalid,
  notSupported,
  path,
  required,
  VerbatimValue,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { isQualifiedName } from '#shared/apimachinery/validation/names.ts';
import { quantityValue, roundUpQuantity } from '#shared/apimachinery/values/quantity.ts';

const status = path('status');
const resizeStates = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
].toSorted();

/** The status of a PersistentVolumeClaim (pkg/apis/core/validation, ValidatePersistentVolumeClaimStatusUpdate). */
export function validateClaimStatus(claim: KubeObject): FieldError[] {
  const allocated = status.child('allocatedResources');
  return [
    ...(stringsAt(claim, 'spec', 'accessModes').length === 0 ? [required(path('Spec', 'accessModes'), '')] : []),
    ...resourceAmounts(objectAt(claim, 'status', 'capacity')).flatMap(([name, amount]) =>
      validateWhole(amount, status.child('capacity').key(name)),
    ),
    ...resourceAmounts(objectAt(claim, 'status', 'allocatedResourceStatuses')).flatMap(([name, state]) => {
      const field = status.child('allocatedResourceStatuses');
      return [
        ...validateKey(name, field),
        ...(resizeStates.includes(String(state)) ? [] : [notSupported(field, name, resizeStates)]),
      ];
    }),
    ...resourceAmounts(objectAt(claim, 'status', 'allocatedResources')).flatMap(([name, amount]) => {
      const errors = validateKey(name, allocated);
      if (errors.length > 0) return errors;
      const wrong = validateWhole(amount, allocated.key(name));
      return wrong.length > 0 ? wrong : validateAmount('storage', amount, allocated.key(name));
    }),
  ];
}

/** Validates the name of a resource: without a domain only `storage` is allowed. */
function validateKey(name: string, field: Path): FieldError[] {
  const errors = messages(isQualifiedName(name), field, name);
  if (errors.length > 0) return errors;
  return (!name.includes('/') || name.includes('kubernetes.io/')) && name !== 'storage'
    ? [notSupported(field, name, ['storage'])]
    : [];
}

/** Amounts of resources are rounded up to thousandths when they are decoded. */
const milli = -3;

function validateWhole(amount: JsonValue, field: Path): FieldError[] {
  const value = quantityValue(roundUpQuantity(quantity(amount), milli));
  return value < 0 ? [invalid(field, new VerbatimValue(String(value)), 'must be a valid resource quantity')] : [];
}
