import type { Quantity } from '#shared/apimachinery/values/quantity-parse.ts';
import { QuantityError } from '#shared/apimachinery/values/quantity-parse.ts';
import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  quantityAsInt64,
  quantityOf,
  quantitySign,
  quantityToNumber,
  subtractQuantities,
} from '#shared/apimachinery/values/quantity.ts';
import type { FunctionDeclaration } from '#shared/cel/contract/function-declaration.ts';
import type { Library } from '#shared/cel/contract/library.ts';
import { costsOne, costsTraversal, estimatesOne, estimatesTraversal } from '#shared/cel/libraries/sizes.ts';
import { CelObject } from '#shared/cel/values/cel-type.ts';
import { boolType, doubleType, intType, objectType, stringType, type CelType } from '#shared/cel/values/cel-type.ts';
import { CelDouble, CelError, int, type Value } from '#shared/cel/values/value.ts';

export const quantityType = objectType('kubernetes.Quantity');

/** A quantity such as `1.5Gi`. */
export class CelQuantity extends CelObject {
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    super();
    this.quantity = quantity;
  }

  get type(): CelType {
    return quantityType;
  }

  override equals(other: unknown): boolean | CelError {
    return other instanceof CelQuantity
      ? compareQuantities(this.quantity, other.quantity) === 0
      : new CelError('no such overload');
  }
}

/** Parses a text as a quantity; returns an error if it is none. */
export function quantityFrom(text: string): CelQuantity | CelError {
  try {
    return new CelQuantity(parseQuantity(text));
  } catch (error) {
    if (error instanceof QuantityError) return new CelError(error.message);
    throw error;
  }
}

/**
 * The largest difference between the decimal exponents of two quantities that can be combined. Upstream would build a
 * number of two billion digits for the sum of `1e2000000000` and `1`; this returns an error.
 */
const maxDigits = 10_000;

function combine(a: Quantity, b: Quantity, how: (a: Quantity, b: Quantity) => Quantity): Value {
  if (Math.abs(a.scale - b.scale) > maxDigits && a.unscaled !== 0n && b.unscaled !== 0n)
    return new CelError('quantities are too far apart');
  return new CelQuantity(how(a, b));
}

const ofInt = (value: number | bigint): Quantity => quantityOf(value, 'DecimalExponent');
const accessor = { cost: costsOne, estimate: estimatesOne };
const parsing = { cost: costsTraversal(), estimate: estimatesTraversal() };

const functions: readonly FunctionDeclaration[] = [
  {
    name: 'quantity',
    ...parsing,
    overloads: [
      { id: 'string_to_quantity', parameters: [stringType], result: quantityType, implementation: quantityFrom },
    ],
  },
  {
    name: 'isQuantity',
    ...parsing,
    overloads: [
      {
        id: 'is_quantity_string',
        parameters: [stringType],
        result: boolType,
        implementation: (text: string) => quantityFrom(text) instanceof CelQuantity,
      },
    ],
  },
  {
    name: 'sign',
    ...accessor,
    overloads: [
      {
        id: 'quantity_sign',
        parameters: [quantityType],
        result: intType,
        implementation: (a: CelQuantity) => quantitySign(a.quantity),
      },
    ],
  },
  {
    name: 'isGreaterThan',
    ...accessor,
    overloads: [
      {
        id: 'quantity_is_greater_than',
        member: true,
        parameters: [quantityType, quantityType],
        result: boolType,
        implementation: (a: CelQuantity, b: CelQuantity) => compareQuantities(a.quantity, b.quantity) > 0,
      },
    ],
  },
  {
    name: 'isLessThan',
    ...accessor,
    overloads: [
      {
        id: 'quantity_is_less_than',
        member: true,
        parameters: [quantityType, quantityType],
        result: boolType,
        implementation: (a: CelQuantity, b: CelQuantity) => compareQuantities(a.quantity, b.quantity) < 0,
      },
    ],
  },
  {
    name: 'compareTo',
    ...accessor,
    overloads: [
      {
        id: 'quantity_compare_to',
        member: true,
        parameters: [quantityType, quantityType],
        result: intType,
        implementation: (a: CelQuantity, b: CelQuantity) => Math.sign(compareQuantities(a.quantity, b.quantity)),
      },
    ],
  },
  {
    name: 'asApproximateFloat',
    ...accessor,
    overloads: [
      {
        id: 'quantity_get_float',
        member: true,
        parameters: [quantityType],
        result: doubleType,
        implementation: (a: CelQuantity) => new CelDouble(quantityToNumber(a.quantity)),
      },
    ],
  },
  {
    name: 'asInteger',
    ...accessor,
    overloads: [
      { id: 'quantity_get_int', member: true, parameters: [quantityType], result: intType, implementation: asInteger },
    ],
  },
  {
    name: 'isInteger',
    ...accessor,
    overloads: [
      {
        id: 'quantity_is_integer',
        member: true,
        parameters: [quantityType],
        result: boolType,
        implementation: (a: CelQuantity) => quantityAsInt64(a.quantity) !== undefined,
      },
    ],
  },
  {
    name: 'add',
    ...accessor,
    overloads: [
      {
        id: 'quantity_add',
        member: true,
        parameters: [quantityType, quantityType],
        result: quantityType,
        implementation: (a: CelQuantity, b: CelQuantity) => combine(a.quantity, b.quantity, addQuantities),
      },
      {
        id: 'quantity_add_int',
        member: true,
        parameters: [quantityType, intType],
        result: quantityType,
        implementation: (a: CelQuantity, b: number | bigint) => combine(a.quantity, ofInt(b), addQuantities),
      },
    ],
  },
  {
    name: 'sub',
    ...accessor,
    overloads: [
      {
        id: 'quantity_sub',
        member: true,
        parameters: [quantityType, quantityType],
        result: quantityType,
        implementation: (a: CelQuantity, b: CelQuantity) => combine(a.quantity, b.quantity, subtractQuantities),
      },
      {
        id: 'quantity_sub_int',
        member: true,
        parameters: [quantityType, intType],
        result: quantityType,
        implementation: (a: CelQuantity, b: number | bigint) => combine(a.quantity, ofInt(b), subtractQuantities),
      },
    ],
  },
];

function asInteger(a: CelQuantity): Value {
  const value = quantityAsInt64(a.quantity);
  return value === undefined ? new CelError('cannot convert value to integer') : int(value);
}

export const quantityLibrary: Library = { name: 'kubernetes.quantity', types: [quantityType], functions };
