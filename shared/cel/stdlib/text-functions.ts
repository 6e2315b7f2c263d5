import { compiledPattern } from '#shared/apimachinery/regexp/compiled-patterns.ts';
import { atOnce, type Steps } from '#shared/apimachinery/slices/slices.ts';
import type { FunctionDeclaration } from '#shared/cel/contract/function-declaration.ts';
import {
  boolType,
  bytesType,
  intType,
  listType,
  mapType,
  stringType,
  typeParameter,
} from '#shared/cel/values/cel-type.ts';
import { noOperator, noSuchOverload } from '#shared/cel/values/errors.ts';
import { textSize } from '#shared/cel/values/sizes.ts';
import { CelError, CelList, CelMap, type Value } from '#shared/cel/values/value.ts';
import { containsCosts, matchesCosts, prefixCosts } from './call-costs.ts';
import { member, overload, shared } from './declare.ts';

function onTexts(
  name: string,
  id: string,
  test: (text: string, part: string) => boolean,
  costs: typeof prefixCosts,
): FunctionDeclaration {
  const implementation = (text: Value, part: Value): Value =>
    typeof text === 'string' && typeof part === 'string' ? test(text, part) : noSuchOverload();
  return shared(name, implementation, [member(id, [stringType, stringType], boolType, costs)]);
}

function* matches(text: Value, pattern: Value): Steps<Value> {
  if (typeof text !== 'string') return noOperator('matches', text);
  if (typeof pattern !== 'string') return noSuchOverload();
  const compiled = yield* compiledPattern(pattern);
  return compiled.error === undefined ? yield* compiled.matcher.matches(text) : new CelError(compiled.error);
}

function size(value: Value): Value {
  if (typeof value === 'string') return textSize(value);
  if (value instanceof CelList || value instanceof CelMap) return value.size;
  return value instanceof Uint8Array ? value.length : noOperator('size', value);
}

const sized = [
  ['bytes', bytesType],
  ['list', listType(typeParameter('A'))],
  ['map', mapType(typeParameter('A'), typeParameter('B'))],
  ['string', stringType],
] as const;

export const textFunctions: readonly FunctionDeclaration[] = [
  shared(
    'size',
    size,
    sized.flatMap(([name, type]) => [
      overload(`size_${name}`, [type], intType),
      member(`${name}_size`, [type], intType),
    ]),
  ),
  onTexts('contains', 'contains_string', (text, part) => text.includes(part), containsCosts),
  onTexts('endsWith', 'ends_with_string', (text, part) => text.endsWith(part), prefixCosts),
  onTexts('startsWith', 'starts_with_string', (text, part) => text.startsWith(part), prefixCosts),
  {
    name: 'matches',
    patternArgument: 1,
    implementation: (text, pattern) => atOnce(matches(text, pattern)),
    steps: matches,
    overloads: [
      overload('matches', [stringType, stringType], boolType),
      member('matches_string', [stringType, stringType], boolType, matchesCosts),
    ],
  },
];
