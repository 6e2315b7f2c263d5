import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { processCaches } from '#shared/caches/cache-budget.ts';
import type { Environment } from '#shared/cel/check/environment.ts';
import {
  exactly,
  maxEstimate,
  multiplyBounds,
  type Bounds,
  type EstimateNode,
  type SizeEstimator,
} from '#shared/cel/contract/estimate.ts';
import type { Library } from '#shared/cel/contract/library.ts';
import { estimateCost } from '#shared/cel/cost/estimate-cost.ts';
import type { EnvironmentPair } from '#shared/cel/environment/base-environment.ts';
import { quantityType } from '#shared/cel/libraries/quantity/quantity.ts';
import { ProgramCache } from '#shared/cel/program-cache.ts';
import { bindingsLibrary } from '#shared/cel/stdlib/bindings.ts';
import {
  anyType,
  boolType,
  dynType,
  mapType,
  objectType,
  stringType,
  type CelType,
} from '#shared/cel/values/cel-type.ts';
import { equals } from '#shared/cel/values/equality.ts';
import { CelError, CelList, type Value } from '#shared/cel/values/value.ts';
import { compileExpression, ExpressionError, type CompiledExpression } from './compile-expression.ts';
import { ObjectTypes } from './object-types.ts';

/** Limits of device selectors (k8s.io/api/resource/v1). */
export const maxSelectorCost = 1_000_000;
/**
 * The cache size of compiled selectors, which the pods and claims of a workload repeat. Conditions have the other half.
 */
const maxSelectorBytes = processCaches.share('expressions') / 2;
const maxNames = 32;
const maxDomainLength = 63;
const maxIdLength = 32;
const maxDriverLength = 63;
const maxValueLength = 64;
const maxValues = 48;

export interface DeviceGates {
  readonly DRAConsumableCapacity: boolean;
  readonly DRAListTypeAttributes: boolean;
}

export interface CompiledSelector extends CompiledExpression {
  /** The estimated maximum cost of an evaluation. */
  readonly maxCost: number;
}

/** Compiles selectors of devices (k8s.io/dynamic-resource-allocation/cel). */
export class DeviceSelectorCompiler {
  readonly #forNew: Environment;
  readonly #forStored: Environment;
  readonly #gates: DeviceGates;
  readonly #compiled = new ProgramCache<CompiledSelector | ExpressionError>(maxSelectorBytes);

  /** @param gates the feature gates, which decide what new selectors may use, whatever the compatibility release */
  constructor(base: EnvironmentPair, gates: DeviceGates) {
    this.#gates = gates;
    this.#forNew = environmentOf(base.forNew, gates);
    this.#forStored = environmentOf(
      base.forStored,
      { DRAConsumableCapacity: true, DRAListTypeAttributes: true },
      gates,
    );
  }

  /** The estimated memory of the cached selectors, in bytes. */
  get keptBytes(): number {
    return this.#compiled.bytes;
  }

  compile(text: string, stored: boolean): Steps<CompiledSelector | ExpressionError> {
    const environment = stored ? this.#forStored : this.#forNew;
    return this.#compiled.get(environment, text, () => this.#compile(environment, text));
  }

  *#compile(environment: Environment, text: string): Steps<CompiledSelector | ExpressionError> {
    const compiled = yield* compileExpression(environment, text, (type) =>
      this.#isGood(type) ? undefined : `must evaluate to bool or the unknown type, not ${String(type)}`,
    );
    return compiled instanceof ExpressionError
      ? compiled
      : { ...compiled, maxCost: (yield* estimateCost(compiled.program.checked, environment, deviceSizes)).max };
  }

  /** Whether a result type is allowed. The type of an attribute is only known at run time, so it is allowed, too. */
  #isGood(type: CelType): boolean {
    return (
      (type.kind === 'bool' && !type.nullable) ||
      type.kind === 'any' ||
      (this.#gates.DRAListTypeAttributes && type.kind === 'dyn')
    );
  }
}

/** `offered` is set to all features for stored selectors; the type of attributes still depends on the real gates. */
function environmentOf(base: Environment, offered: DeviceGates, gates = offered): Environment {
  const attribute = gates.DRAListTypeAttributes ? dynType : anyType;
  const names = (value: CelType): CelType => mapType(stringType, mapType(stringType, value));
  const fields: Record<string, CelType> = {
    driver: stringType,
    attributes: names(attribute),
    capacity: names(quantityType),
  };
  if (offered.DRAConsumableCapacity) fields['allowMultipleAllocations'] = boolType;
  return base.extend({
    libraries: [bindingsLibrary, ...(offered.DRAListTypeAttributes ? [includesLibrary] : [])],
    variables: [{ name: 'device', type: objectType('kubernetes.DRADevice') }],
    providers: [new ObjectTypes([{ name: 'kubernetes.DRADevice', fields }])],
  });
}

/** `attribute.includes(value)`, for attributes that are lists or single values. */
const includesLibrary: Library = {
  name: 'kubernetes.dra',
  functions: [
    {
      name: 'includes',
      overloads: [
        {
          id: 'dra_includes_dyn_dyn',
          member: true,
          parameters: [dynType, dynType],
          result: boolType,
          implementation: includes,
          estimate: (_, target) =>
            target === undefined ? undefined : { cost: multiplyBounds({ min: 0, max: maxValues }, exactly(1)) },
        },
      ],
    },
  ],
};

function includes(target: Value, value: Value): Value {
  if (!(target instanceof CelList)) return equals(target, value) === true;
  for (let index = 0; index < target.size; index++) {
    if (index >= maxValues)
      return new CelError(`'includes' function cannot be applied to lists longer than ${maxValues} values`);
    if (equals(target.get(index), value) === true) return true;
  }
  return false;
}

const deviceSizes: SizeEstimator = {
  estimateSize({ path }: EstimateNode): Bounds | undefined {
    const max = maxSizeAt(path);
    return max === undefined ? undefined : { min: 0, max };
  },
};

/** The size bound of a path; the path of `device.attributes["domain"].name` is `device/attributes/@values/name`. */
function maxSizeAt([root, field, ...rest]: readonly string[]): number | undefined {
  if (root !== 'device') return undefined;
  if (field === undefined) return maxEstimate;
  if (field === 'driver') return rest.length === 0 ? maxDriverLength : undefined;
  if (field === 'allowMultipleAllocations') return rest.length === 0 ? 1 : undefined;
  if (field !== 'attributes' && field !== 'capacity') return undefined;
  const [domain, name, ...more] = rest;
  if (domain === undefined) return maxNames;
  if (domain === '@keys') return name === undefined ? maxDomainLength : undefined;
  if (name === undefined) return maxNames;
  if (more.length > 0) return undefined;
  if (name === '@keys') return maxIdLength;
  if (field === 'attributes') return maxValueLength;
  return name === '@values' ? 0 : undefined;
}
