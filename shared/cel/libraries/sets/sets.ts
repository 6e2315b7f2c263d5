import { atOnce, type Steps } from '#shared/apimachinery/slices/slices.ts';
import {
  addBounds,
  exactly,
  multiplyBounds,
  scaleBounds,
  type CallEstimate,
  type EstimateContext,
  type EstimateNode,
} from '#shared/cel/contract/estimate.ts';
import type { FunctionDeclaration } from '#shared/cel/contract/function-declaration.ts';
import type { Library } from '#shared/cel/contract/library.ts';
import { Membership, tooManyPairs } from '#shared/cel/libraries/pairs.ts';
import { boolType, listType, typeParameter } from '#shared/cel/values/cel-type.ts';
import { costSize } from '#shared/cel/values/sizes.ts';
import type { CelList, Value } from '#shared/cel/values/value.ts';
import { countWork } from '#shared/cel/values/work-limit.ts';

const list = listType(typeParameter('T'));

type Relation = (a: CelList, b: CelList) => Steps<Value>;

function declare(name: string, id: string, times: number, relation: Relation): FunctionDeclaration {
  const inSteps: Relation = function* (a, b) {
    return tooManyPairs(a.size * b.size) ?? (yield* relation(a, b));
  };
  return {
    name,
    overloads: [
      {
        id,
        parameters: [list, list],
        result: boolType,
        implementation: (a: CelList, b: CelList) => atOnce(inSteps(a, b)),
        steps: inSteps,
        cost: ([a, b]: readonly Value[]) => 1 + costSize(a ?? null) * costSize(b ?? null) * times,
        estimate: (
          context: EstimateContext,
          _: EstimateNode | undefined,
          [a, b]: readonly EstimateNode[],
        ): CallEstimate | undefined =>
          a === undefined || b === undefined
            ? undefined
            : { cost: addBounds(scaleBounds(multiplyBounds(context.sizeOf(a), context.sizeOf(b)), times), exactly(1)) },
      },
    ],
  };
}

const contains: Relation = function* (a, b) {
  const all = yield* Membership.of(a);
  for (let index = 0; index < b.size; index++) {
    const has = yield* all.has(b.get(index));
    if (has !== true) return has;
    if (countWork()) yield;
  }
  return true;
};

const intersects: Relation = function* (a, b) {
  const all = yield* Membership.of(b);
  for (let index = 0; index < a.size; index++) {
    if ((yield* all.has(a.get(index))) === true) return true;
    if (countWork()) yield;
  }
  return false;
};

const equivalent: Relation = function* (a, b) {
  const there = yield* contains(a, b);
  return there === true ? yield* contains(b, a) : there;
};

/** cel-go's functions that compare lists as sets. */
export const setsLibrary: Library = {
  name: 'cel.lib.ext.sets',
  functions: [
    declare('sets.contains', 'list_sets_contains_list', 1, contains),
    declare('sets.equivalent', 'list_sets_equivalent_list', 2, equivalent),
    declare('sets.intersects', 'list_sets_intersects_list', 1, intersects),
  ],
};
