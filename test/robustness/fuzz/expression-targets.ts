import { atOnce, paced, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { checkText, CompileIssues, programOf } from '#shared/cel/compile.ts';
import { baseEnvironments } from '#shared/cel/environment/base-environment.ts';
import { Program } from '#shared/cel/eval/program.ts';
import { parse } from '#shared/cel/parse/parse.ts';
import { dynType, listType, mapType, stringType } from '#shared/cel/values/cel-type.ts';
import { jsonValue } from '#shared/cel/values/json-value.ts';
import { promise, type FuzzTarget } from './fuzz-target.ts';

const environment = baseEnvironments(36).forStored.extend({
  variables: [
    { name: 'x', type: dynType },
    { name: 'xs', type: listType(dynType) },
    { name: 'm', type: mapType(stringType, dynType) },
    { name: 's', type: stringType },
    { name: 'texts', type: listType(stringType) },
  ],
});
const texts = Array.from({ length: 60 }, (_, index) => `text ${index} é`);
const bindings = new Map([
  ['x', jsonValue({ a: { b: [1, 'x', null, 1.5] }, c: 'c' })],
  ['xs', jsonValue([1, 'a', [2, 3], { k: 'v' }, null, true])],
  ['m', jsonValue({ a: 1, b: 'b', c: [1, 2, 3] })],
  ['s', 'ab'.repeat(2000)],
  ['texts', jsonValue(texts)],
]);

/** Of an evaluation: a tenth of that of a rule. */
const costLimit = 100_000;
/** Longer texts are for the parser: a pattern of 64 KiB over a long text takes seconds of slices. */
const longestEvaluated = 1024;
/** Of processor time between two turns of the event loop; longer twice in a row, since code is compiled meanwhile. */
const longestTurnMs = 25;

/** Runs steps as a server does and answers what they return; no turn may be long. */
function turns<T>(what: string, steps: () => Steps<T>): T {
  for (let again = false; ; again = true) {
    const pieces = paced(steps(), 3, undefined);
    let longest = 0;
    for (;;) {
      const began = process.threadCpuUsage().user;
      const piece = pieces.next();
      longest = Math.max(longest, (process.threadCpuUsage().user - began) / 1000);
      if (piece.done !== true) continue;
      if (longest <= longestTurnMs) return piece.value;
      promise(!again, `${what} takes ${Math.round(longest)} ms in one turn`);
      break;
    }
  }
}

const samples = [
  "x.a.b[0] == 1 && has(x.c) ? xs.size() > 2 : s.startsWith('ab')",
  "texts.all(t, t.matches('^text [0-9]+ é$'))",
  'xs.map(v, [v]).filter(v, v.size() == 1)[0]',
  "m.transformMap(k, v, k + string(v)) == {'a': '1'}",
  'x.?a.?b[?1].orValue(0)',
  "'%s %d %.2f'.format([s, 1, 1.5])",
  "timestamp('2020-01-02T03:04:05Z') + duration('1h30m') > timestamp(0)",
  "quantity('1Gi').isGreaterThan(quantity('500M'))",
  "ip('::1').family() == 6 && cidr('10.0.0.0/8').containsIP('10.1.1.1')",
  "url('https://a:80/b?c=d').getQuery()['c']",
  '[3, 1, 2].sort().slice(0, 2) + [1.0, 2u].distinct()',
  'sets.contains(xs, [1]) || lists.range(10).reverse().sum() == 45',
  'texts.map(t, texts.map(u, t + u)).size()',
  'texts.exists(a, texts.exists(b, a > b && b.contains(a)))',
  "s.split('b').join('c').replace('c', 'd', 2).substring(1, 5).upperAscii()",
  "semver('1.2.3-a').compareTo(semver('1.2.3')) < 0",
  "r'\\d' + b'\\x00\\377' + '''multi\nline''' + \"\\u00e9\\U0001F600\"",
  '{1: 2u, 3: 4u}[1] - 18446744073709551615u',
  '-9223372036854775808 / -1 % 3 * 0x1F',
  'google.protobuf.Struct{fields: {"a": null}}',
  'format.dns1123Label().validate(s).value()',
  'type(1) == int && dyn(1) in [1u, 1.0]',
  '!!!true || false && !(1 < 2) || [[[]]] == [[[]]]',
  "s.find('(a|b)*c?') + s.findAll('ab', 3)[0]",
  'optional.of(x).optMap(v, v.a).optFlatMap(v, v.?b).hasValue()',
];
const tokens = [
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '.',
  ',',
  ':',
  '?',
  '.?',
  '[?',
  '+',
  '-',
  '*',
  '/',
  '%',
  '!',
  '&&',
  '||',
  '==',
  '!=',
  '<',
  '<=',
  ' in ',
  "'",
  '"',
  '`',
  '\\',
  "r'",
  "b'",
  "'''",
  '1',
  '1u',
  '1.5',
  '1e',
  '0x',
  '9223372036854775807',
  'true',
  'null',
  'x',
  'xs',
  'm',
  's',
  'texts',
  'has(',
  '.all(v, ',
  '.exists(v, ',
  '.map(v, ',
  '.filter(v, ',
  '.exists_one(v, ',
  '.transformList(i, v, ',
  '.size()',
  '.matches(',
  '.split(',
  '.sort()',
  '.flatten()',
  '.join()',
  '.format([',
  'dyn(',
  'int(',
  'string(',
  'timestamp(',
  'duration(',
  'optional.of(',
  '.orValue(',
  '.value()',
  'sets.contains(',
  'lists.range(',
  'quantity(',
  'url(',
  'ip(',
  'cidr(',
  '//',
  '\n',
  '$',
  'é',
  'texts.all(t, texts.all(u, ',
  ' == xs',
  's + s',
  'for',
  'package',
];

function checked(text: string): ReturnType<typeof checkText> extends Generator<unknown, infer T> ? T : never {
  const found = atOnce(checkText(environment, text));
  if (found instanceof CompileIssues)
    promise(found.toString().startsWith('ERROR: <input>:'), `${found.toString()} is no message`);
  return found;
}

/**
 * The parser, the checker and the evaluation of expressions. Texts that are none are explained by a thread, at whatever
 * length.
 */
export const expressionTargets: readonly FuzzTarget[] = [
  {
    name: 'cel-syntax',
    refusals: [],
    samples,
    tokens,
    run: (bytes) => {
      const text = bytes.toString();
      if (!('issues' in atOnce(parse(text, environment)))) turns('parsing', () => parse(text, environment));
    },
  },
  {
    name: 'cel-types',
    refusals: [],
    samples,
    tokens,
    run: (bytes) => {
      const text = bytes.toString();
      if (!(checked(text) instanceof CompileIssues)) turns('checking', () => checkText(environment, text));
    },
  },
  {
    name: 'cel-values',
    refusals: [],
    samples,
    tokens,
    run: (bytes) => {
      const found = checked(bytes.subarray(0, longestEvaluated).toString());
      if (found instanceof CompileIssues) return;
      const program = turns('planning', () => programOf(environment, found));
      if (program instanceof Program) turns('evaluating', () => program.evaluateInSteps(bindings, costLimit));
    },
  },
];
