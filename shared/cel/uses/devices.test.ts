import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { baseEnvironments } from '#shared/cel/environment/base-environment.ts';
import { ArrayList } from '#shared/cel/values/list.ts';
import { EntryMap } from '#shared/cel/values/map.ts';
import { CelError, type Value } from '#shared/cel/values/value.ts';
import { ExpressionError } from './compile-expression.ts';
import { DeviceSelectorCompiler, maxSelectorCost, type CompiledSelector } from './devices.ts';

const compiler = new DeviceSelectorCompiler(baseEnvironments(36), {
  DRAConsumableCapacity: false,
  DRAListTypeAttributes: true,
});

function compiled(text: string): CompiledSelector {
  const selector = atOnce(compiler.compile(text, false));
  assert.ok(!(selector instanceof ExpressionError), String(selector));
  return selector;
}

/** Ten times the text: its largest size shows in the cost of the comparison. */
const tenfold = (text: string): string => `(${Array.from({ length: 10 }, () => text).join('+')}) == "a"`;

describe('DeviceSelectorCompiler', () => {
  // MaxCost of k8s.io/dynamic-resource-allocation/cel v0.36.3.
  for (const [limit, text, cost] of [
    ['a driver name of 63 characters', tenfold('device.driver'), 365],
    ['32 domains of 63 characters', `device.attributes.all(d, ${tenfold('d')})`, 11_459],
    ['32 names of 32 characters', `device.attributes["d"].all(n, ${tenfold('n')})`, 6084],
    ['an attribute of 64 characters', tenfold('device.attributes["d"].n'), 390],
    ['48 values of an attribute', 'device.attributes["d"].n.includes(1)', 52],
  ] as const)
    test(`estimates costs for ${limit} at most`, () => assert.equal(compiled(text).maxCost, cost));

  test('allows selectors of 1,000,000 cost units', () => assert.equal(maxSelectorCost, 1_000_000));

  test('looks through lists of 48 values in includes(), and fails at the next', () => {
    const includes = (length: number): Value => {
      const values = new ArrayList(Array.from({ length }, (_, at) => at));
      const attributes = EntryMap.of([['d', EntryMap.of([['n', values]])]]);
      const device = EntryMap.of([['attributes', attributes]]);
      const { value } = compiled('device.attributes["d"].n.includes(-1)').program.evaluate(
        new Map([['device', device]]),
      );
      return value instanceof CelError ? value.message : value;
    };
    assert.equal(includes(48), false);
    assert.match(String(includes(49)), /'includes' function cannot be applied to lists longer than 48 values/);
  });
});
