import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { canonicalBase64 } from './bytes/base64.ts';
import { path } from './errors/field-error.ts';
import { newInvalid } from './errors/status.ts';
import type { JsonObject, JsonValue } from './json/json.ts';
import { listAt, objectAt, objectsAt, stringAt } from './object.ts';
import type { ObjectMeta } from './object.ts';
import { formatFieldSelector, parseFieldSelector } from './selectors/fields.ts';
import { formatLabelSelector, parseLabelSelectorInSteps } from './selectors/labels.ts';
import { atOnce } from './slices/slices.ts';
import { goQuote } from './text/go-format.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from './validation/meta-validation.ts';
import * as names from './validation/names.ts';
import { formatDuration, parseDuration } from './values/duration.ts';
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  quantityAsInt64,
  quantityToNumber,
  quantityValue,
  subtractQuantities,
} from './values/quantity.ts';
import { canonicalMicroTime, canonicalTime } from './values/time.ts';

/** Inputs beside the answers of the published Go modules (testdata/record/). */
function readData(name: string): JsonObject {
  return JSON.parse(readFileSync(new URL(`./testdata/${name}.json`, import.meta.url), 'utf8')) as JsonObject;
}
const inputs = readData('inputs');
const expected = readData('expected');

/** What a call gives, in the form of the record. */
function outcome(call: () => JsonValue): JsonObject {
  try {
    return { value: call() };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** Go leaves out an empty value. */
function compareAll(section: string, call: (input: JsonValue) => JsonValue): void {
  const answers = listAt(expected, section);
  listAt(inputs, section).forEach((input, i) => {
    const answer = answers[i];
    test(`${section} ${JSON.stringify(input)}`, () => {
      const result = outcome(() => call(input));
      const wanted = objectAt(answer) ?? {};
      if (Object.hasOwn(wanted, 'error')) assert.deepEqual(result, wanted);
      else assert.deepEqual(result, { value: wanted['value'] ?? (typeof result['value'] === 'string' ? '' : null) });
    });
  });
}

describe('values recorded from the reference', () => {
  compareAll('labelSelectors', (input) => formatLabelSelector(atOnce(parseLabelSelectorInSteps(String(input)))));
  compareAll('fieldSelectors', (input) => formatFieldSelector(parseFieldSelector(String(input))));
  compareAll('times', (input) => canonicalTime(String(input)));
  compareAll('microTimes', (input) => canonicalMicroTime(String(input)));
  compareAll('durations', (input) => formatDuration(parseDuration(String(input))));
  compareAll('base64', (input) => canonicalBase64(String(input)));
});

describe('quoting', () => {
  listAt(inputs, 'quoted').forEach((input, i) => {
    test(`quotes ${JSON.stringify(input)}`, () => assert.equal(goQuote(String(input)), listAt(expected, 'quoted')[i]));
  });
});

describe('quantities', () => {
  listAt(inputs, 'quantities').forEach((input, i) => {
    const text = String(input);
    const wanted = objectAt(listAt(expected, 'quantities')[i]) ?? {};
    test(`reads ${JSON.stringify(text)}`, () => {
      if (Object.hasOwn(wanted, 'error')) {
        assert.deepEqual(
          outcome(() => formatQuantity(parseQuantity(text))),
          wanted,
        );
        return;
      }
      const { text: _kept, ...quantity } = parseQuantity(text);
      const whole = quantityAsInt64(quantity);
      // Go wraps around where a value leaves 64 bits, and rounds small negative ones up; ours stay exact.
      for (const [key, scale] of [
        ['value', 0],
        ['milli', -3],
      ] as const) {
        const exact = quantityValue(quantity, scale);
        if (exact !== BigInt.asIntN(64, exact) || (quantity.wide && exact < 0n) || quantity.scale > 18)
          wanted[key] = `${exact}`;
      }
      assert.deepEqual(
        {
          text: canonicalQuantity(text),
          canonical: formatQuantity(quantity),
          value: `${quantityValue(quantity)}`,
          milli: `${quantityValue(quantity, -3)}`,
          int64: `${whole ?? 0n}`,
          isInt64: whole !== undefined,
          float: quantityToNumber(quantity),
        },
        { ...wanted },
      );
    });
  });

  listAt(inputs, 'quantityPairs').forEach((pair, i) => {
    test(`computes with ${JSON.stringify(pair)}`, () => {
      const [a, b] = listAt(pair).map((text) => parseQuantity(String(text)));
      assert.ok(a !== undefined && b !== undefined);
      assert.deepEqual(
        {
          compare: Math.sign(compareQuantities(a, b)),
          sum: formatQuantity(addQuantities(a, b)),
          difference: formatQuantity(subtractQuantities(a, b)),
        },
        listAt(expected, 'quantityPairs')[i],
      );
    });
  });
});

const NAME_RULES: Readonly<Record<string, (text: string) => string[]>> = {
  label: names.isDNS1123Label,
  subdomain: names.isDNS1123Subdomain,
  dns1035: names.isDNS1035Label,
  qualified: names.isQualifiedName,
  labelValue: names.isLabelValue,
  wildcard: names.isWildcardDNS1123Subdomain,
  underscore: names.isDNS1123SubdomainWithUnderscore,
  cIdentifier: names.isCIdentifier,
  envVar: names.isEnvVarName,
  relaxedEnvVar: names.isRelaxedEnvVarName,
  configKey: names.isConfigMapKey,
  percent: names.isValidPercent,
  header: names.isHTTPHeaderName,
  portName: names.isValidPortName,
  namePrefix: (text) => names.nameIsDNSSubdomain(text, true),
  labelPrefix: (text) => names.nameIsDNSLabel(text, true),
};

describe('name rules', () => {
  listAt(inputs, 'names').forEach((input, i) => {
    test(`judges ${JSON.stringify(input)}`, () => {
      const wanted = objectAt(listAt(expected, 'names')[i]) ?? {};
      for (const [rule, check] of Object.entries(NAME_RULES))
        assert.deepEqual(check(String(input)), wanted[rule] ?? [], rule);
    });
  });
});

/** Go visits maps in random order and leaves TypeMeta to the writer. */
function comparable(status: JsonObject): JsonObject {
  const { kind: _kind, apiVersion: _version, ...rest } = status;
  return rest;
}

describe('metadata rules', () => {
  const root = path('metadata');
  objectsAt(inputs, 'metas').forEach((meta, i) => {
    test(`judges new ${JSON.stringify(meta).slice(0, 80)}`, () => {
      const errors = validateObjectMeta(meta, true, names.nameIsDNSSubdomain, root);
      const status = newInvalid({ group: '', kind: 'ConfigMap' }, 'x', errors).status;
      assert.deepEqual(comparable(status), listAt(expected, 'metas')[i]);
    });
  });
  objectsAt(inputs, 'metaUpdates').forEach((update, i) => {
    test(`judges update ${stringAt(update, 'new', 'name')} ${i}`, () => {
      const errors = validateObjectMetaUpdate(
        objectAt(update, 'new') as ObjectMeta,
        objectAt(update, 'old') as ObjectMeta,
        root,
      );
      const status = newInvalid({ group: '', kind: 'ConfigMap' }, 'x', errors).status;
      assert.deepEqual(comparable(status), listAt(expected, 'metaUpdates')[i]);
    });
  });
});
