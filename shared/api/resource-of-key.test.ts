import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import { formatGroupResource } from '#shared/apimachinery/gvk.ts';
import { ResourceOfKey } from './resource-of-key.ts';

const expected: readonly (readonly [key: string, resource: string | undefined])[] = [
  ['/secrets/default/a', 'secrets'],
  ['/secrets/', 'secrets'],
  ['/services/specs/default/a', 'services'],
  ['/services/endpoints/default/a', 'endpoints'],
  ['/minions/a', 'nodes'],
  ['/controllers/default/a', 'replicationcontrollers'],
  ['/events/default/a', 'events'],
  ['/leases/default/a', 'leases.coordination.k8s.io'],
  ['/deployments/default/a', 'deployments.apps'],
  ['/ingress/default/a', 'ingresses.networking.k8s.io'],
  ['/clusterroles/a', 'clusterroles.rbac.authorization.k8s.io'],
  ['/serviceaccounts/default/a', 'serviceaccounts'],
  [
    '/apiextensions.k8s.io/customresourcedefinitions/pandas.awesome.bears.example',
    'customresourcedefinitions.apiextensions.k8s.io',
  ],
  ['/apiregistration.k8s.io/apiservices/v1.apps', 'apiservices.apiregistration.k8s.io'],
  ['/awesome.bears.example/pandas/default/a', 'pandas.awesome.bears.example'],
  ['/awesome.bears.example/pandas/', 'pandas.awesome.bears.example'],
  ['/ranges/serviceips', undefined],
  ['/masterleases/127.0.0.1', undefined],
  ['/peerserverleases/a', undefined],
];

describe('ResourceOfKey', () => {
  const resources = new ResourceOfKey(loadFacts());
  for (const [key, resource] of expected)
    test(`finds the resource of ${key}`, () => {
      const found = resources.find(key);
      assert.equal(found && formatGroupResource(found), resource);
    });
});
