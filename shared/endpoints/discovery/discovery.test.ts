import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import { discoveryList, groupDiscoveries } from './api-group-discovery.ts';
import type { APIGroupDiscoveryList, RegisteredVersion } from './api-group-discovery.ts';
import { discoveryETag } from './discovery-etag.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy-documents.ts';
import { apiRegistrationPriority, groupsByPriority, mergeDiscovery } from './merge.ts';
import type { DiscoverySource } from './merge.ts';
import { registeredVersions } from './registered-versions.ts';

interface Recorded {
  readonly etag: string | null;
  readonly document: APIGroupDiscoveryList;
}

const reference = JSON.parse(readFileSync(new URL('./testdata/reference.json', import.meta.url), 'utf8')) as Record<
  string,
  Recorded
>;
const registered = registeredVersions(loadFacts(), (resource) => resource.enabledByDefault);
const core = registered.filter(({ group }) => group === '');
const named = registered.filter(({ group }) => group !== '');

function versionOf(group: string, version: string): RegisteredVersion {
  const found = registered.find((candidate) => candidate.group === group && candidate.version === version);
  assert.ok(found, `${group}/${version}`);
  return found;
}

function sources(stale: (group: string) => boolean = () => false): DiscoverySource[] {
  const groups = groupDiscoveries(named);
  return loadFacts()
    .groups()
    .flatMap(({ name, groupPriority, versions }) =>
      versions
        .filter(({ group, version }) => named.some((other) => other.group === group && other.version === version))
        .map(({ version, versionPriority }) => ({
          group: name,
          version,
          groupPriorityMinimum: groupPriority,
          versionPriority,
          groups,
          stale: stale(name),
        })),
    );
}

describe('discovery documents', () => {
  test("equal the reference's in aggregated form, with the same ETag", () => {
    for (const [path, versions] of [
      ['/api', core],
      ['/apis', named],
    ] as const) {
      const list = discoveryList(groupDiscoveries(versions));
      assert.deepEqual(list, reference[`${path} aggregated`]?.document);
      assert.equal(discoveryETag(list), reference[`${path} aggregated`]?.etag);
    }
  });

  test("equal the reference's in legacy form", () => {
    assert.deepEqual(apiResourceList(versionOf('', 'v1'), true), reference['/api/v1']?.document);
    for (const group of ['apps', 'authentication.k8s.io', 'rbac.authorization.k8s.io']) {
      assert.deepEqual(apiResourceList(versionOf(group, 'v1'), true), reference[`/apis/${group}/v1`]?.document);
    }
    const groups = groupsByPriority(sources());
    assert.deepEqual(apiGroupList(groups), reference['/apis']?.document);
    assert.deepEqual(
      apiGroup({ group: 'autoscaling', versions: ['v2', 'v1'] }),
      reference['/apis/autoscaling']?.document,
    );
  });

  test("name the server's address in the list of core versions", () => {
    const recorded = reference['/api']?.document as unknown as {
      serverAddressByClientCIDRs: [{ serverAddress: string }];
    };
    const { serverAddress } = recorded.serverAddressByClientCIDRs[0];
    assert.deepEqual(apiVersions(['v1'], serverAddress), recorded);
  });
});

describe('mergeDiscovery', () => {
  test("merges the documents of all backends into the reference's document", () => {
    assert.deepEqual(discoveryList(mergeDiscovery(sources().toReversed())), reference['/apis aggregated']?.document);
  });

  test('keeps the last resources of a failed backend as stale, and none of a backend that never answered', () => {
    const merged = mergeDiscovery([
      ...sources((group) => group === 'apps'),
      {
        group: 'metrics.k8s.io',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 100,
        groups: undefined,
        stale: true,
      },
    ]);
    const apps = merged.find(({ metadata }) => metadata.name === 'apps');
    assert.equal(apps?.versions[0]?.freshness, 'Stale');
    assert.equal(apps?.versions[0]?.resources?.length, 5);
    assert.deepEqual(merged.at(-1), {
      metadata: { name: 'metrics.k8s.io' },
      versions: [{ version: 'v1', freshness: 'Stale' }],
    });
  });

  test('shows a version without resources when its backend does not list it', () => {
    const merged = mergeDiscovery([{ ...apiRegistrationPriority, groups: [], stale: false }]);
    assert.deepEqual(merged, [
      { metadata: { name: 'apiregistration.k8s.io' }, versions: [{ version: 'v1', freshness: 'Current' }] },
    ]);
  });
});

describe('registeredVersions', () => {
  test('leaves out a disabled group, and adds an enabled beta version', () => {
    const versions = registeredVersions(loadFacts(), ({ group, version, enabledByDefault }) =>
      group === 'batch' ? false : enabledByDefault || (group === 'resource.k8s.io' && version === 'v1beta1'),
    );
    const groups = groupDiscoveries(versions);
    assert.ok(!groups.some(({ metadata }) => metadata.name === 'batch'));
    const dra = groups.find(({ metadata }) => metadata.name === 'resource.k8s.io');
    assert.deepEqual(
      dra?.versions.map(({ version }) => version),
      ['v1', 'v1beta1'],
    );
  });
});
