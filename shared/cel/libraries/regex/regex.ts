import { compiledPattern } from '#shared/apimachinery/regexp/compiled-patterns.ts';
import { PatternTooCostly, type Finder } from '#shared/apimachinery/regexp/finder.ts';
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
import type { Overload } from '#shared/cel/contract/function-declaration.ts';
import type { Library } from '#shared/cel/contract/library.ts';
import { costOfCharacter, costOfRegexCharacter } from '#shared/cel/libraries/sizes.ts';
import { intType, listType, stringType } from '#shared/cel/values/cel-type.ts';
import { ArrayList } from '#shared/cel/values/list.ts';
import { costSize } from '#shared/cel/values/sizes.ts';
import { CelError, type Value } from '#shared/cel/values/value.ts';
import { countWork } from '#shared/cel/values/work-limit.ts';

function* finderOf(pattern: string): Steps<Finder | CelError> {
  const compiled = yield* compiledPattern(pattern);
  return compiled.error === undefined ? compiled.finder : new CelError(`Illegal regex: ${compiled.error}`);
}

function* find(text: string, pattern: string): Steps<Value> {
  const finder = yield* finderOf(pattern);
  if (finder instanceof CelError) return finder;
  const span = yield* finder.find(text);
  return span === undefined ? '' : text.slice(...span);
}

function* findAll(text: string, pattern: string, most: number | bigint = -1): Steps<Value> {
  const finder = yield* finderOf(pattern);
  if (finder instanceof CelError) return finder;
  try {
    const spans = yield* finder.findAll(text, Number(most));
    const found: Value[] = [];
    for (const [start, end] of spans) {
      found.push(text.slice(start, end));
      if (countWork()) yield;
    }
    return new ArrayList(found);
  } catch (error) {
    if (error instanceof PatternTooCostly) return new CelError('operation cancelled: actual cost limit exceeded');
    throw error;
  }
}

const listOfStrings = listType(stringType);

const costs: Pick<Overload, 'cost' | 'estimate'> = {
  cost: ([text, pattern]) =>
    Math.ceil((1 + costSize(text ?? null)) * costOfCharacter) *
    Math.ceil(costSize(pattern ?? null) * costOfRegexCharacter),
  estimate(
    context: EstimateContext,
    target: EstimateNode | undefined,
    [pattern]: readonly EstimateNode[],
  ): CallEstimate | undefined {
    if (target === undefined || pattern === undefined) return undefined;
    const size = context.sizeOf(target);
    const ofText = scaleBounds(addBounds(size, exactly(1)), costOfCharacter);
    return {
      cost: multiplyBounds(ofText, scaleBounds(context.sizeOf(pattern), costOfRegexCharacter)),
      resultSize: { min: 0, max: size.max },
    };
  },
};

/** The Kubernetes library of functions that search by regular expressions. */
export const regexLibrary: Library = {
  name: 'kubernetes.regex',
  functions: [
    {
      name: 'find',
      patternArgument: 1,
      overloads: [
        {
          id: 'string_find_string',
          member: true,
          parameters: [stringType, stringType],
          result: stringType,
          implementation: (text: string, pattern: string) => atOnce(find(text, pattern)),
          steps: find,
          ...costs,
        },
      ],
    },
    {
      name: 'findAll',
      patternArgument: 1,
      overloads: [
        {
          id: 'string_find_all_string',
          member: true,
          parameters: [stringType, stringType],
          result: listOfStrings,
          implementation: (text: string, pattern: string) => atOnce(findAll(text, pattern)),
          steps: (text: string, pattern: string) => findAll(text, pattern),
          ...costs,
        },
        {
          id: 'string_find_all_string_int',
          member: true,
          parameters: [stringType, stringType, intType],
          result: listOfStrings,
          implementation: (text: string, pattern: string, most: number | bigint) =>
            atOnce(findAll(text, pattern, most)),
          steps: (text: string, pattern: string, most: number | bigint) => findAll(text, pattern, most),
          ...costs,
        },
      ],
    },
  ],
};
