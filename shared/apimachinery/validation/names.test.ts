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
