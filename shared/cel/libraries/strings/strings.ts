import { addBounds, exactly, scaleBounds } from '#shared/cel/contract/estimate.ts';
import type { FunctionDeclaration } from '#shared/cel/contract/function-declaration.ts';
import type { Library } from '#shared/cel/contract/library.ts';
import { inSteps } from '#shared/cel/libraries/in-steps.ts';
import { costOfSearch, estimateSearch } from '#shared/cel/libraries/search-cost.ts';
import { costOfCharacter, costOfTraversal, costsTraversal, traversalBounds } from '#shared/cel/libraries/sizes.ts';
import { dynType, intType, listType, stringType } from '#shared/cel/values/cel-type.ts';
import type { CelList } from '#shared/cel/values/value.ts';
import { lowerAscii, upperAscii } from './ascii-case.ts';
import { estimateJoin, estimateReplace, estimateSplit } from './estimates.ts';
import { format } from './format.ts';
import { charAt, indexOf, lastIndexOf, substring } from './indices.ts';
import { quoteText } from './quote.ts';
import { join, replace, split } from './replace.ts';
import { validateFormatCalls } from './validate-format.ts';

type Int = number | bigint;

const listOfStrings = listType(stringType);

const overOnce: Pick<FunctionDeclaration, 'cost' | 'estimate'> = {
  cost: costsTraversal(),
  estimate: (context, target) =>
    target === undefined ? undefined : { cost: traversalBounds(context, target), resultSize: context.sizeOf(target) },
};

const searches: Pick<FunctionDeclaration, 'cost' | 'estimate'> = { cost: costOfSearch, estimate: estimateSearch };

const functions: readonly FunctionDeclaration[] = [
  {
    name: 'charAt',
    overloads: [
      {
        id: 'string_char_at_int',
        member: true,
        parameters: [stringType, intType],
        result: stringType,
        implementation: charAt,
      },
    ],
  },
  {
    name: 'indexOf',
    ...searches,
    overloads: [
      {
        id: 'string_index_of_string',
        member: true,
        parameters: [stringType, stringType],
        result: intType,
        implementation: (text: string, part: string) => indexOf(text, part),
      },
      {
        id: 'string_index_of_string_int',
        member: true,
        parameters: [stringType, stringType, intType],
        result: intType,
        implementation: (text: string, part: string, from: Int) => indexOf(text, part, from),
      },
    ],
  },
  {
    name: 'lastIndexOf',
    ...searches,
    overloads: [
      {
        id: 'string_last_index_of_string',
        member: true,
        parameters: [stringType, stringType],
        result: intType,
        implementation: (text: string, part: string) => lastIndexOf(text, part),
      },
      {
        id: 'string_last_index_of_string_int',
        member: true,
        parameters: [stringType, stringType, intType],
        result: intType,
        implementation: (text: string, part: string, from: Int) => lastIndexOf(text, part, from),
      },
    ],
  },
  {
    name: 'lowerAscii',
    ...overOnce,
    overloads: [
      {
        id: 'string_lower_ascii',
        member: true,
        parameters: [stringType],
        result: stringType,
        ...inSteps((text: string) => lowerAscii(text)),
      },
    ],
  },
  {
    name: 'upperAscii',
    ...overOnce,
    overloads: [
      {
        id: 'string_upper_ascii',
        member: true,
        parameters: [stringType],
        result: stringType,
        ...inSteps((text: string) => upperAscii(text)),
      },
    ],
  },
  {
    name: 'replace',
    cost: costsTraversal(2),
    estimate: estimateReplace,
    overloads: [
      {
        id: 'string_replace_string_string',
        member: true,
        parameters: [stringType, stringType, stringType],
        result: stringType,
        ...inSteps((text: string, part: string, by: string) => replace(text, part, by)),
      },
      {
        id: 'string_replace_string_string_int',
        member: true,
        parameters: [stringType, stringType, stringType, intType],
        result: stringType,
        ...inSteps((text: string, part: string, by: string, count: Int) => replace(text, part, by, count)),
      },
    ],
  },
  {
    name: 'split',
    cost: costsTraversal(2),
    estimate: estimateSplit,
    overloads: [
      {
        id: 'string_split_string',
        member: true,
        parameters: [stringType, stringType],
        result: listOfStrings,
        ...inSteps((text: string, separator: string) => split(text, separator)),
      },
      {
        id: 'string_split_string_int',
        member: true,
        parameters: [stringType, stringType, intType],
        result: listOfStrings,
        ...inSteps((text: string, separator: string, count: Int) => split(text, separator, count)),
      },
    ],
  },
  {
    name: 'substring',
    ...overOnce,
    overloads: [
      {
        id: 'string_substring_int',
        member: true,
        parameters: [stringType, intType],
        result: stringType,
        implementation: (text: string, start: Int) => substring(text, start),
      },
      {
        id: 'string_substring_int_int',
        member: true,
        parameters: [stringType, intType, intType],
        result: stringType,
        implementation: (text: string, start: Int, end: Int) => substring(text, start, end),
      },
    ],
  },
  {
    name: 'trim',
    ...overOnce,
    overloads: [
      { id: 'string_trim', member: true, parameters: [stringType], result: stringType, implementation: trim },
    ],
  },
  {
    name: 'join',
    cost: (_, result) => costOfTraversal(result, 2),
    estimate: estimateJoin,
    overloads: [
      {
        id: 'list_join',
        member: true,
        parameters: [listOfStrings],
        result: stringType,
        ...inSteps((list: CelList) => join(list)),
      },
      {
        id: 'list_join_string',
        member: true,
        parameters: [listOfStrings, stringType],
        result: stringType,
        ...inSteps((list: CelList, separator: string) => join(list, separator)),
      },
    ],
  },
];

/** Functions that version 0 of the library lacks, which Kubernetes used before 1.29. */
const newerFunctions: readonly FunctionDeclaration[] = [
  {
    name: 'format',
    oneByOne: true,
    overloads: [
      {
        id: 'string_format',
        member: true,
        parameters: [stringType, listType(dynType)],
        result: stringType,
        implementation: format,
        cost: costsTraversal(),
        estimate: (context, target) => (target === undefined ? undefined : { cost: traversalBounds(context, target) }),
      },
    ],
  },
  {
    name: 'strings.quote',
    overloads: [
      {
        id: 'strings_quote',
        parameters: [stringType],
        result: stringType,
        implementation: quoteText,
        cost: costsTraversal(),
        estimate(context, _, [text]) {
          if (text === undefined) return undefined;
          const size = context.sizeOf(text);
          return {
            cost: scaleBounds(size, costOfCharacter),
            resultSize: addBounds({ min: size.min, max: size.max * 2 }, exactly(2)),
          };
        },
      },
    ],
  },
];

/** cel-go's library of strings, in the two versions that Kubernetes uses. */
export function stringsLibrary(version: 0 | 2): Library {
  const name = 'cel.lib.ext.strings';
  return version === 0
    ? { name, functions }
    : { name, functions: [...functions, ...newerFunctions], validators: [validateFormatCalls] };
}

const leadingSpace = /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
const space = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

function trim(text: string): string {
  let end = text.length;
  while (end > 0 && space.test(text[end - 1] ?? '')) end--;
  return text.slice(0, end).replace(leadingSpace, '');
}
