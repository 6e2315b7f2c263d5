import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ObjectLister } from '#shared/admission/contract/object-lister.ts';
import type { ResourceMatch } from '#shared/admission/contract/object-versions.ts';
import { FakeCaches } from '#shared/admission/testing/fake-caches.ts';
import { readTable } from '#shared/admission/testing/read-table.ts';
import { attributesOf, type RecordedError, type RecordedRequest } from '#shared/admission/testing/recorded-request.ts';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { resourceCriteria, webhookCriteria, type MatchCriteria } from './match-criteria.ts';
import { matchRequest } from './match-request.ts';
import { compileMatchRule } from './match-rule.ts';
import { RequestNamespace } from './request-namespace.ts';

interface Recorded {
  readonly attributes: RecordedRequest;
}

async function match(
  criteria: MatchCriteria,
  request: RecordedRequest,
  namespaces: readonly KubeObject[] = [],
): Promise<ResourceMatch | undefined> {
  const caches = new FakeCaches();
  for (const namespace of namespaces) caches.put('', 'namespaces', namespace);
  const attributes = attributesOf(request);
  return await matchRequest(
    criteria,
    attributes,
    new RequestNamespace(new ObjectLister(caches, '', 'namespaces'), attributes),
  );
}

/** The fields of a rule that a test of upstream asks for; all others match everything. */
const fieldOfPart = {
  scope: 'scope',
  group: 'apiGroups',
  version: 'apiVersions',
  operation: 'operations',
  resource: 'resources',
} as const;
const everything = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], scope: '*' };

describe("upstream's tables of admission matching", () => {
  test('match resources of policies', async () => {
    type Line = Recorded & { criteria: JsonObject; match?: ResourceMatch; error: RecordedError };
    const lines = readTable<Line>(import.meta.url, 'match-resources').filter(({ attributes }) => isServed(attributes));
    for (const { criteria, attributes, match: expected, error } of lines) {
      const found = await match(resourceCriteria(criteria), attributes).catch((caught: unknown) => caught);
      const told = found instanceof StatusError ? found.status.message : found;
      assert.deepEqual(told, typeof error === 'object' && error !== null ? error.message : expected);
    }
    assert.ok(lines.length > 20);
  });

  test('parts of rules', async () => {
    type Line = Recorded & { part: keyof typeof fieldOfPart; rule: JsonObject; matches: boolean };
    const lines = readTable<Line>(import.meta.url, 'rules');
    for (const line of lines) {
      const field = fieldOfPart[line.part];
      const rule = compileMatchRule({ ...everything, [field]: line.rule[field] ?? [] });
      const criteria = { ...resourceCriteria({ namespaceSelector: {}, objectSelector: {} }), rules: [rule] };
      assert.equal((await match(criteria, line.attributes)) !== undefined, line.matches, JSON.stringify(line));
    }
    assert.ok(lines.length > 70);
  });

  test('labels of namespaces', async () => {
    type Line = Recorded & { labels: Record<string, string>; stored?: KubeObject };
    for (const { attributes, labels, stored } of readTable<Line>(import.meta.url, 'namespace-labels')) {
      const namespaces = stored === undefined ? [] : [stored];
      for (const [key, value] of Object.entries(labels)) {
        const selecting = (operator: string): MatchCriteria =>
          resourceCriteria({
            namespaceSelector: { matchExpressions: [{ key, operator, values: [value] }] },
            objectSelector: {},
          });
        assert.ok((await match(selecting('In'), attributes, namespaces)) !== undefined);
        assert.equal(await match(selecting('NotIn'), attributes, namespaces), undefined);
      }
    }
  });

  test('object selectors of webhooks', async () => {
    type Line = Recorded & { webhook: JsonObject; matches: boolean };
    for (const { attributes, webhook, matches } of readTable<Line>(import.meta.url, 'object-selectors')) {
      const criteria = webhookCriteria({ ...webhook, rules: [everything] });
      assert.equal((await match(criteria, attributes)) !== undefined, matches, JSON.stringify(attributes));
    }
  });
});

/** Upstream registers a resource without a kind to see an error of a mapper. */
function isServed({ equivalents = [] }: RecordedRequest): boolean {
  return equivalents.every(({ kind }) => kind.kind !== '');
}
