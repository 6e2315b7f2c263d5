import type { Shape } from './random-schema.ts';
import type { Random } from './random.ts';

/** A variable, or what is reached from one. */
export interface Reached {
  readonly text: string;
  readonly shape: Shape;
}

type Kind = Shape['kind'] | 'dyn';

const literals: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  int: ['0', '1', '2', '5', '-1', '100', '9223372036854775807'],
  double: ['0.0', '1.0', '0.5', '-2.5', '1e3'],
  string: ["'a'", "'b'", "'ab'", "''", '"é"', "'10.0.0.1'", "r'\\d'", "'x/y'"],
  bool: ['true', 'false'],
  timestamp: ["timestamp('2021-01-01T00:00:00Z')"],
  duration: ["duration('1h')", "duration('90s')"],
  bytes: ["b'abc'", "b'\\xff'"],
  list: ['[]', '[1, 2]', "['a']", '[1.0]'],
  map: ['{}', "{'a': 1}", "{'a': 'b'}"],
};

/** `$bool`, `$int` and so on are expressions of that kind, `~` is one more loop's variable over a list that `@` is. */
const productions: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  bool: [
    '$int < $int',
    '$int >= $int',
    '$int == $int',
    '$int != $int',
    '$double < $double',
    '$double == $double',
    '$double <= $int',
    '$string == $string',
    '$string != $string',
    '$string < $string',
    '$string.startsWith($string)',
    '$string.endsWith($string)',
    '$string.contains($string)',
    "$string.matches('^[a-z]+$')",
    "$string.matches('é|(a.)*')",
    '$bool && $bool',
    '$bool || $bool',
    '!$bool',
    '$bool ? $bool : $bool',
    '$timestamp < $timestamp',
    '$timestamp == $timestamp',
    '$duration >= $duration',
    '$bytes == $bytes',
    '$int in $list',
    '$string in $list',
    '$string in $map',
    'isURL($string)',
    'isQuantity($string)',
    'isIP($string)',
    'isSemver($string)',
    "isQuantity($string) && quantity($string).isGreaterThan(quantity('1k'))",
    'isIP($string) ? ip($string).family() == 4 : $bool',
    "cidr('10.0.0.0/8').containsIP($string)",
    '$list == $list',
    '$map == $map',
    '$object == $object',
    '$object != $object',
    'type($int) == int',
    'type($intOrString) == string',
    '$list.isSorted()',
    'sets.contains($list, $list)',
    '$intOrString == $int',
    '$intOrString == $string',
    'has($path)',
    '!has($path) || $bool',
    '@.all(~, $bool)',
    '@.exists(~, $bool)',
    '@.exists_one(~, $bool)',
    '@.all(i, ~, $bool)',
    '!format.dns1123Label().validate($string).hasValue()',
    '$optional.hasValue()',
    'size($list) < $int',
    '$free.a == 1',
    'has($free.a.b)',
    "$embedded.kind == 'Pod'",
    'has($embedded.metadata.name)',
    '($bool)',
    'dyn($int) == $double',
    '[$int, $int].exists(z, z > $int)',
    'cel.bind(z, $int, z > 1)',
  ],
  int: [
    '$int + $int',
    '$int - $int',
    '$int * $int',
    '$int / $int',
    '$int % $int',
    '-$int',
    'size($string)',
    '$list.size()',
    'size($map)',
    'int($double)',
    'int($string)',
    'int($timestamp)',
    '$bool ? $int : $int',
    '$string.indexOf($string)',
    '$string.lastIndexOf($string)',
    '$timestamp.getFullYear()',
    "$timestamp.getHours('+01:00')",
    '$duration.getSeconds()',
    '[$int, $int].sum()',
    '[$int, $int].max()',
    '$list.map(z, 1).sum()',
    '$list.indexOf($int)',
    '$optional.orValue($int)',
    "quantity('1Ki').asInteger()",
    '[$int, $int][$int]',
    "{'a': $int}[$string]",
    'size($bytes)',
    '@.filter(~, $bool).size()',
    '($int)',
    "semver('1.2.3').minor()",
  ],
  double: [
    '$double + $double',
    '$double * $double',
    '$double / $double',
    'double($int)',
    'double($string)',
    '$bool ? $double : $double',
    'math.abs($double)',
    'quantity($string).asApproximateFloat()',
    '[$double, $double].min()',
  ],
  string: [
    '$string + $string',
    'string($int)',
    'string($double)',
    'string($bool)',
    'string($timestamp)',
    'string($duration)',
    'string($bytes)',
    '$string.lowerAscii()',
    '$string.upperAscii()',
    '$string.trim()',
    '$string.substring($int)',
    '$string.substring($int, $int)',
    '$string.replace($string, $string)',
    '$string.charAt($int)',
    '$string.split($string)[0]',
    "['a', $string].join(',')",
    "'%s-%d'.format([$string, $int])",
    '$bool ? $string : $string',
    "$string.find('[a-z]+')",
    '$list.map(z, string(z)).join($string)',
    'url($string).getHost()',
    "$embedded.metadata.labels['a']",
    '$string.reverse()',
    '($string)',
  ],
  timestamp: ['$timestamp + $duration', '$timestamp - $duration', 'timestamp($string)', 'timestamp($int)'],
  duration: ['$duration + $duration', '$timestamp - $timestamp', 'duration($string)'],
  bytes: ['bytes($string)', '$bytes + $bytes'],
  list: [
    '$list + $list',
    '[$int, $int]',
    '[$string, $string]',
    '@.map(~, $int)',
    '@.filter(~, $bool)',
    '@.map(~, $bool, $string)',
    "$string.split(',')",
    "$string.findAll('[a-z]')",
    '$list.slice(0, $int)',
    'lists.range($int)',
    '$list.sort()',
    '$list.distinct()',
    '$list.flatten()',
    '@.transformList(i, ~, $int)',
  ],
  map: ["{'a': $int, 'b': $int}", '{$string: $int}', '@.transformMap(i, ~, $int)'],
};

/** A random expression; most have the types that they should. */
export class RandomExpression {
  readonly #random: Random;
  readonly #reached: Reached[] = [];
  #loops = 0;

  constructor(random: Random, roots: readonly Reached[]) {
    this.#random = random;
    for (const root of roots) this.#reach(root, 4);
  }

  of(kind: Kind, depth: number): string {
    const random = this.#random;
    const wanted = random.oneOf(80) ? random.pick(['int', 'string', 'bool', 'list'] as const) : kind;
    const found = this.#reached.filter(({ shape }) => shape.kind === wanted);
    const made = productions[wanted];
    if (depth > 0 && made !== undefined && !(found.length > 0 && random.oneOf(2)))
      return this.#fill(random.pick(made), depth);
    if (found.length > 0 && !random.oneOf(4)) return this.#read(random.pick(found));
    const texts = literals[wanted];
    if (texts !== undefined) return random.pick(texts);
    return random.pick(this.#reached).text;
  }

  /** Fields may be absent: some ways to read them mind that. */
  #read({ text }: Reached): string {
    const at = text.lastIndexOf('.');
    return at > 0 && !text.includes('[') && !text.includes('?') && this.#random.oneOf(12)
      ? `${text.slice(0, at)}.?${text.slice(at + 1)}.value()`
      : text;
  }

  #fill(production: string, depth: number): string {
    const random = this.#random;
    const before = this.#reached.length;
    let variable = '';
    const filled = production.replaceAll(/@|~|\$(\w+)/g, (found, kind: string | undefined) => {
      if (found === '@') {
        const lists = this.#reached.filter(({ shape }) => shape.kind === 'list' || shape.kind === 'map');
        const list =
          lists.length > 0
            ? random.pick(lists)
            : { text: '[1, 2, 3]', shape: { kind: 'list', items: { kind: 'int' }, keyed: false } as const };
        variable = `v${this.#loops++}`;
        const { shape } = list;
        const inner: Shape =
          shape.kind === 'list'
            ? shape.items
            : production.includes('i, ~') && shape.kind === 'map'
              ? shape.values
              : { kind: 'string' };
        this.#reach({ text: variable, shape: inner }, 2);
        return list.text;
      }
      if (found === '~') return variable;
      if (kind === 'path') return this.#path();
      if (kind === 'optional')
        return random.oneOf(3) ? `optional.of(${this.of('int', 0)})` : this.#path().replace(/\.(?=[^.]*$)/, '.?');
      return this.of(kind as Kind, depth - 1);
    });
    this.#reached.length = before;
    return filled;
  }

  #path(): string {
    const fields = this.#reached.filter(({ text }) => text.includes('.') && !text.endsWith(']'));
    return fields.length === 0 ? 'self.a' : this.#random.pick(fields).text;
  }

  #reach(from: Reached, depth: number): void {
    this.#reached.push(from);
    const { text, shape } = from;
    if (depth === 0) return;
    if (shape.kind === 'object')
      for (const [name, field] of shape.fields)
        this.#reach({ text: `${text}.${escaped(name)}`, shape: field }, depth - 1);
    else if (shape.kind === 'list') this.#reach({ text: `${text}[0]`, shape: shape.items }, depth - 1);
    else if (shape.kind === 'map') this.#reach({ text: `${text}['a']`, shape: shape.values }, depth - 1);
  }
}

const reserved: ReadonlySet<string> = new Set(['in', 'namespace']);

/** The name of a field as expressions have it. */
function escaped(name: string): string {
  return reserved.has(name)
    ? `__${name}__`
    : name
        .replaceAll('__', '__underscores__')
        .replaceAll('.', '__dot__')
        .replaceAll('-', '__dash__')
        .replaceAll('/', '__slash__');
}
