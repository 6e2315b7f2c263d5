import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listAt, objectAt } from '#shared/apimachinery/object.ts';
import { recordedAnswers, recordedInputs } from '#shared/apimachinery/testing/recorded-values.ts';
import * as names from './names.ts';

const nameRules: Readonly<Record<string, (text: string) => string[]>> = {
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
  listAt(recordedInputs, 'names').forEach((input, i) => {
    test(`accept or reject ${JSON.stringify(input)} as the reference does`, () => {
      const wanted = objectAt(listAt(recordedAnswers, 'names')[i]) ?? {};
      for (const [rule, check] of Object.entries(nameRules))
        assert.deepEqual(check(String(input)), wanted[rule] ?? [], rule);
    });
  });
});

/** A dotted name of `length` characters whose labels keep within their own limit. */
const dotted = (length: number): string => 'a'.repeat(length).replace(/(.{49})./g, '$1.');

describe('limits of name rules', () => {
  for (const [rule, longest, tooLong] of [
    [names.isDNS1123Label, 'a'.repeat(63), 'a'.repeat(64)],
    [names.isDNS1035Label, 'a'.repeat(63), 'a'.repeat(64)],
    [names.isDNS1123Subdomain, dotted(253), dotted(254)],
    [names.isDNS1123SubdomainWithUnderscore, dotted(253), dotted(254)],
    [names.isWildcardDNS1123Subdomain, `*.${dotted(251)}`, `*.${dotted(252)}`],
    [names.isQualifiedName, 'a'.repeat(63), 'a'.repeat(64)],
    [names.isQualifiedName, `${dotted(253)}/a`, `${dotted(254)}/a`],
    [names.isLabelValue, 'a'.repeat(63), 'a'.repeat(64)],
    [names.isConfigMapKey, 'a'.repeat(253), 'a'.repeat(254)],
    [names.isValidPortName, 'a'.repeat(15), 'a'.repeat(16)],
  ] as const)
    test(`let ${rule.name} accept ${longest.length} characters and reject ${tooLong.length}`, () => {
      assert.deepEqual(rule(longest), []);
      assert.equal(rule(tooLong).length, 1);
    });

  test('let isValidPortNumber accept 1 to 65535', () => {
    for (const port of [1, 65_535]) assert.deepEqual(names.isValidPortNumber(port), []);
    for (const port of [0, 65_536])
      assert.deepEqual(names.isValidPortNumber(port), ['must be between 1 and 65535, inclusive']);
  });
});
