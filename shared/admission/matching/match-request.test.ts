import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { AdmissionAttributes, AdmissionOperation } from '#shared/admission/contract/admission.ts';
import { ObjectLister } from '#shared/admission/contract/object-lister.ts';
import type { ResourceMatch } from '#shared/admission/contract/object-versions.ts';
import { podAttributes } from '#shared/admission/testing/attributes.ts';
import { FakeCaches } from '#shared/admission/testing/fake-caches.ts';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import { formatGroupVersionKind, type GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { resourceCriteria, webhookCriteria } from './match-criteria.ts';
import { matchRequest } from './match-request.ts';
import { compileMatchRule, mayMatch } from './match-rule.ts';
import { RequestNamespace } from './request-namespace.ts';

interface RecordedRequest {
  readonly operation: AdmissionOperation;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly labels?: Record<string, string>;
  readonly oldLabels?: Record<string, string>;
  readonly hasObject: boolean;
  readonly hasOld: boolean;
}

interface Recorded {
  readonly criteria: JsonObject;
  readonly request: RecordedRequest;
  readonly matches: boolean;
  readonly version?: string;
  readonly kind?: string;
  readonly error?: string;
}

const table = JSON.parse(
  readFileSync(new URL('testdata/matches.json', import.meta.url), 'utf8'),
) as readonly Recorded[];

const kinds = new Map([
  ['pods', 'Pod'],
  ['namespaces', 'Namespace'],
  ['widgets', 'Widget'],
  ['clusterwidgets', 'ClusterWidget'],
]);

function kindOf({ group, version, resource, subresource }: RecordedRequest): GroupVersionKind {
  if (subresource === 'scale') return { group: 'autoscaling', version: 'v1', kind: 'Scale' };
  return { group, version, kind: kinds.get(resource) ?? '' };
}

function labeled(labels: Record<string, string> | undefined): KubeObject {
  return { metadata: labels === undefined ? {} : { labels } };
}

/** The versions in the order in which the recorder registers them. */
function equivalentsOf(request: RecordedRequest): ResourceMatch[] {
  if (request.resource !== 'widgets') return [];
  return ['v2', 'v1', 'v1beta1']
    .filter((version) => request.subresource !== 'scale' || version !== 'v1beta1')
    .map((version) => ({
      resource: { group: 'example.com', version, resource: 'widgets' },
      kind: kindOf({ ...request, version }),
    }));
}

function attributesOf(request: RecordedRequest): AdmissionAttributes {
  const { object: _, ...plain } = podAttributes();
  return {
    ...plain,
    operation: request.operation,
    kind: kindOf(request),
    resource: { group: request.group, version: request.version, resource: request.resource },
    subresource: request.subresource,
    namespace: request.namespace,
    name: request.name,
    versions: { ...plain.versions, equivalents: equivalentsOf(request) },
    ...(request.hasObject ? { object: labeled(request.labels) } : {}),
    ...(request.hasOld ? { oldObject: labeled(request.oldLabels) } : {}),
  };
}

function namespaces(): ObjectLister {
  const caches = new FakeCaches();
  const labels: Record<string, Record<string, string>> = {
    labeled: { a: '1' },
    other: { a: '2' },
    a: { a: '1' },
    b: {},
  };
  for (const [name, set] of Object.entries(labels)) caches.put('', 'namespaces', { metadata: { name, labels: set } });
  return new ObjectLister(caches, '', 'namespaces');
}

async function outcomeOf(line: Recorded, lister: ObjectLister): Promise<Omit<Recorded, 'criteria' | 'request'>> {
  const attributes = attributesOf(line.request);
  try {
    const match = await matchRequest(
      resourceCriteria(line.criteria),
      attributes,
      new RequestNamespace(lister, attributes),
    );
    if (match === undefined) return { matches: false };
    return { matches: true, version: match.resource.version, kind: formatGroupVersionKind(match.kind) };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { matches: false, error: error.message };
  }
}

describe('matchRequest', () => {
  test('decides about random match resources and requests as upstream does', async () => {
    const lister = namespaces();
    const differences: string[] = [];
    for (const line of table) {
      const { criteria: _, request: __, ...expected } = line;
      const outcome = await outcomeOf(line, lister);
      if (JSON.stringify(outcome) !== JSON.stringify(expected))
        differences.push(`${JSON.stringify(line)}: ${JSON.stringify(outcome)}`);
    }
    assert.deepEqual(differences, []);
    assert.ok(table.length === 300);
  });

  test('selects no request for a webhook without rules', () => {
    const attributes = podAttributes();
    const criteria = webhookCriteria({ namespaceSelector: {}, objectSelector: {} });
    assert.equal(matchRequest(criteria, attributes, new RequestNamespace(namespaces(), attributes)), undefined);
  });
});

describe('mayMatch', () => {
  test('is true for a rule about a subresource or another version, and false for another resource or operation', () => {
    const rule = compileMatchRule({
      operations: ['CREATE'],
      apiGroups: ['apps'],
      apiVersions: ['v1'],
      resources: ['deployments/status'],
    });
    assert.ok(mayMatch(rule, 'CREATE', { group: 'apps', resource: 'deployments' }));
    assert.ok(!mayMatch(rule, 'UPDATE', { group: 'apps', resource: 'deployments' }));
    assert.ok(!mayMatch(rule, 'CREATE', { group: 'apps', resource: 'replicasets' }));
    assert.ok(!mayMatch(rule, 'CREATE', { group: '', resource: 'deployments' }));
  });

  test('is true for events of the other group', () => {
    const rule = compileMatchRule({
      operations: ['*'],
      apiGroups: ['events.k8s.io'],
      apiVersions: ['*'],
      resources: ['events'],
    });
    assert.ok(mayMatch(rule, 'CREATE', { group: '', resource: 'events' }));
  });
});
