import { Environment } from '#shared/cel/check/environment.ts';
import { kubernetesListsLibrary } from '#shared/cel/libraries/lists/kubernetes-lists.ts';
import { listsLibrary } from '#shared/cel/libraries/lists/lists.ts';
import { regexLibrary } from '#shared/cel/libraries/regex/regex.ts';
import { setsLibrary } from '#shared/cel/libraries/sets/sets.ts';
import { stringsLibrary } from '#shared/cel/libraries/strings/strings.ts';
import { optionalLibrary } from '#shared/cel/stdlib/optionals.ts';
import { standardLibrary } from '#shared/cel/stdlib/standard-library.ts';
import { twoVariableComprehensions } from '#shared/cel/stdlib/two-variable-comprehensions.ts';
import { dynType, listType, stringType } from '#shared/cel/values/cel-type.ts';
import { ArrayList } from '#shared/cel/values/list.ts';
import { EntryMap } from '#shared/cel/values/map.ts';
import type { Value } from '#shared/cel/values/value.ts';

export const environment = new Environment({
  libraries: [
    standardLibrary,
    optionalLibrary,
    twoVariableComprehensions,
    stringsLibrary(2),
    listsLibrary,
    setsLibrary,
    regexLibrary,
    kubernetesListsLibrary,
  ],
  variables: [
    { name: 'text', type: stringType },
    { name: 'texts', type: listType(stringType) },
    { name: 'x', type: dynType },
    { name: 'nested', type: dynType },
    { name: 'items', type: listType(dynType) },
    { name: 'wide', type: listType(stringType) },
  ],
});

const long = 'word '.repeat(200_000);
/** Whose size is 1, whatever it holds. */
const nested = new ArrayList([
  new ArrayList(Array.from({ length: 64_000 }, (_, index) => EntryMap.of([['a', index]]))),
]);
export const bindings = new Map<string, Value>([
  ['nested', nested],
  ['items', new ArrayList(Array.from({ length: 100 }, () => nested))],
  ['text', long],
  ['wide', new ArrayList(Array.from({ length: 10 }, (_, index) => `${'€'.repeat(400_000)}😀${index}`))],
  ['texts', new ArrayList(Array.from({ length: 3000 }, (_, index) => `${index}`))],
  ['x', EntryMap.of([['a', 1]])],
]);

/** Expressions that take long within the costs that a rule may have. */
export const hostile = [
  "text.matches('(\\\\w+\\\\s?)+end')",
  'texts.all(a, texts.all(b, texts.exists(c, a != b || b != c || c == a)))',
  'texts.map(a, texts.map(b, a + b)).size() > 0',
  'texts.transformMap(i, a, texts.filter(b, b > a)).size() > 0',
  'texts.all(a, size(text) > 0)',
  'texts.all(a, text + a != a)',
  "texts.all(a, text.contains('end') || true)",
  'texts.all(a, nested == nested)',
  'texts.all(a, !(nested != nested))',
  'texts.all(a, [nested] in [nested] || true)',
  'texts.all(a, !([1] in [items]))',
  'items.all(a, items == items)',
  "text.replace('', 'b').split('').size() > 1",
  "text.findAll('').join(' ') == text",
  'lists.range(1000000).min() == lists.range(1000000).sum()',
  "sets.intersects(texts, ['a']) || '%s'.format([nested]) == text",
  // Each call costs 1, however long the texts are.
  everyTerm('size(wide[0]) + size(wide[1]) + size(wide[2]) > 0', 200),
  everyTerm("wide[0] < wide[1] || wide[2] == '' || true", 200),
];

function everyTerm(term: string, count: number): string {
  return Array.from({ length: count }, () => term).join(' && ');
}
