import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Release } from '#shared/apimachinery/release-version.ts';
import type { Schema, StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { bootstrapFlowControl, bootstrapRbac, systemPriorityClasses } from './bootstrap-objects.ts';
import { resolveFeatureGates } from './feature-gates.ts';
import { loadFacts } from './load-facts.ts';

const facts = loadFacts();
const resources = facts.groups().flatMap((group) => group.versions.flatMap((version) => version.resources));

function structs(roots: Iterable<Schema>): Set<StructSchema> {
  const seen = new Set<StructSchema>();
  const pending = [...roots];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.kind === 'list') pending.push(next.items);
    else if (next.kind === 'map') pending.push(next.values);
    else if (next.kind === 'struct' && !seen.has(next)) {
      seen.add(next);
      pending.push(...next.fields.map((field) => field.schema));
    }
  }
  return seen;
}

describe('loadFacts', () => {
  test("finds the reference's 68 resources with 45 subresources of 21 groups enabled by default", () => {
    const byDefault = resources.filter((resource) => resource.enabledByDefault);
    assert.equal(byDefault.length, 68);
    assert.equal(byDefault.flatMap((resource) => resource.subresources).length, 45);
    assert.equal(new Set(byDefault.map((resource) => resource.group)).size, 21);
  });

  test('orders groups as discovery does, the core group first', () => {
    const names = facts.groups().map((group) => group.name);
    assert.deepEqual(names.slice(0, 4), ['', 'apiregistration.k8s.io', 'apps', 'events.k8s.io']);
    const autoscaling = facts.groups().find((group) => group.name === 'autoscaling');
    assert.deepEqual(
      autoscaling?.versions.map((version) => version.version),
      ['v2', 'v1'],
    );
  });

  test('has a schema with group, version and kind for every kind, list kind and subresource kind', () => {
    for (const { group, version, kind, listKind, subresources } of resources) {
      assert.deepEqual(facts.schema(group, version, kind)?.gvk, { group, version, kind });
      if (listKind !== '') assert.ok(facts.schema(group, version, listKind), listKind);
      for (const sub of subresources)
        assert.ok(facts.schema(sub.kind.group, sub.kind.version, sub.kind.kind), sub.name);
    }
  });

  test('resolves every reachable type, without duplicate JSON names in a struct', () => {
    const roots = resources.flatMap(({ group, version, kind }) => facts.schema(group, version, kind) ?? []);
    const all = structs(roots);
    assert.ok(all.size > 600);
    for (const struct of all) assert.equal(struct.byName.size, struct.flat.length, struct.name);
  });

  test('nests inline structs for protobuf and flattens them for JSON', () => {
    const probe = facts.model('io.k8s.api.core.v1.Probe');
    assert.equal(probe?.fields[0]?.inline, true);
    assert.equal(probe?.fields[0]?.goName, 'ProbeHandler');
    assert.equal(probe?.fields[0]?.number, 1);
    assert.deepEqual(
      probe?.flat.slice(0, 5).map((field) => field.name),
      ['exec', 'httpGet', 'tcpSocket', 'grpc', 'initialDelaySeconds'],
    );
    assert.deepEqual(
      facts.schema('', 'v1', 'Pod')?.flat.map((field) => field.name),
      ['kind', 'apiVersion', 'metadata', 'spec', 'status'],
    );
  });

  test('gives fields their numbers, pointers, defaults, enums and merge keys', () => {
    const port = facts.model('io.k8s.api.core.v1.ContainerPort')?.byName;
    assert.equal(port?.get('protocol')?.default, 'TCP');
    assert.deepEqual(port?.get('protocol')?.enum, ['SCTP', 'TCP', 'UDP']);
    assert.equal(port?.get('containerPort')?.required, true);
    assert.equal(port?.get('hostIP')?.goName, 'HostIP');
    const containers = facts.model('io.k8s.api.core.v1.PodSpec')?.byName.get('containers');
    assert.equal(containers?.number, 2);
    assert.deepEqual([containers?.patchStrategy, containers?.patchMergeKey], [['merge'], 'name']);
    assert.deepEqual([containers?.listType, containers?.listMapKeys], ['map', ['name']]);
    assert.equal(facts.model('io.k8s.api.core.v1.PodSpec')?.byName.get('activeDeadlineSeconds')?.pointer, true);
  });

  test('links recursive schemas to themselves', () => {
    const props = facts.model('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps');
    const not = props?.byName.get('not')?.schema;
    assert.equal(not, props);
    const items = props?.byName.get('items')?.schema;
    assert.equal(items?.kind === 'struct' && items.jsonForm, 'orArray');
  });

  test('marks lists that protobuf wraps in a message', () => {
    const extra = facts.model('io.k8s.api.authentication.v1.UserInfo')?.byName.get('extra')?.schema;
    const values = { kind: 'list', items: { kind: 'scalar', type: 'string' }, wrapped: true, goType: 'v1.ExtraValue' };
    assert.deepEqual(extra, { kind: 'map', values, goType: 'map[string]v1.ExtraValue' });
  });

  test('finds kinds of all group versions, such as DeleteOptions, in each of them', () => {
    for (const [group, version] of [
      ['', 'v1'],
      ['apps', 'v1'],
      ['resource.k8s.io', 'v1beta1'],
    ] as const) {
      assert.equal(
        facts.schema(group, version, 'DeleteOptions')?.name,
        'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions',
      );
    }
    assert.equal(facts.schema('meta.k8s.io', 'v1', 'Table')?.goName, 'Table');
    assert.equal(
      facts.schema('meta.k8s.io', 'v1beta1', 'PartialObjectMetadata')?.name,
      'io.k8s.apimachinery.pkg.apis.meta.v1.PartialObjectMetadata',
    );
    assert.equal(facts.schema('apps', 'v1', 'Pod'), undefined);
    assert.equal(facts.schema('nowhere.io', 'v1', 'DeleteOptions'), undefined);
    assert.equal(facts.model('constructor'), undefined);
    assert.equal(facts.model('io.k8s.api.core.v1.constructor'), undefined);
  });

  test('has the storage versions and prefixes of the reference', () => {
    const where = (group: string, version: string, name: string) => {
      const found = facts.resource(group, version, name);
      return [found?.storageVersion, found?.storagePrefix];
    };
    assert.deepEqual(where('', 'v1', 'nodes'), ['v1', 'minions']);
    assert.deepEqual(where('', 'v1', 'services'), ['v1', 'services/specs']);
    assert.deepEqual(where('events.k8s.io', 'v1', 'events'), ['v1', 'events']);
    assert.deepEqual(where('networking.k8s.io', 'v1', 'ingresses'), ['networking.k8s.io/v1', 'ingress']);
    assert.deepEqual(where('', 'v1', 'bindings'), ['', '']);
  });
});

describe('bootstrap objects', () => {
  test("have the reference's numbers of roles, bindings, flow schemas and priority classes", () => {
    const numbers = (given: Readonly<Record<string, string>>, emulation: Release): number[] => {
      const rbac = bootstrapRbac(resolveFeatureGates(given, { emulation, minCompatibility: '1.33' }).gates);
      return [rbac.clusterRoles.length, rbac.clusterRoleBindings.length, rbac.roles.length, rbac.roleBindings.length];
    };
    assert.deepEqual(numbers({}, '1.36'), [69, 50, 7, 7]);
    assert.deepEqual(numbers({ AllAlpha: 'true', AllBeta: 'true' }, '1.36'), [76, 57, 7, 7]);
    const flow = bootstrapFlowControl();
    assert.equal(flow.mandatoryFlowSchemas.length + flow.suggestedFlowSchemas.length, 11);
    assert.equal(flow.mandatoryPriorityLevels.length + flow.suggestedPriorityLevels.length, 8);
    assert.equal(systemPriorityClasses().length, 2);
  });
});
