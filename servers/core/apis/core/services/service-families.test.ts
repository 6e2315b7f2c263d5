import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultGates } from '#servers/core/testing/default-dependencies.ts';
import { fieldErrorText } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { assignFamilies, completeFamilies, type IPFamily } from './service-families.ts';
import { keepAllocated, normalizeClusterIPs } from './service-transitions.ts';

function service(spec: JsonObject): KubeObject {
  return { metadata: { name: 's' }, spec: { type: 'ClusterIP', ...spec } };
}

function assigned(spec: JsonObject, families: IPFamily[], old?: JsonObject): unknown {
  const made = service(spec);
  const errors = assignFamilies(made, old && service(old), defaultGates, families);
  return errors.length > 0
    ? errors.map(fieldErrorText)
    : [objectAt(made, 'spec')?.['ipFamilyPolicy'], objectAt(made, 'spec')?.['ipFamilies']];
}

describe('IP families of Services', () => {
  // Expected values as the reference answered (recorded answers of Services, single stack 10.0.0.0/16).
  test('default to a single stack', () => {
    assert.deepEqual(assigned({}, ['IPv4']), ['SingleStack', ['IPv4']]);
  });

  test('include both families for a headless Service without selector, even on a single-stack cluster', () => {
    assert.deepEqual(assigned({ clusterIP: 'None', clusterIPs: ['None'] }, ['IPv4']), [
      'RequireDualStack',
      ['IPv4', 'IPv6'],
    ]);
    assert.deepEqual(assigned({ clusterIP: 'None', clusterIPs: ['None'], selector: { a: 'b' } }, ['IPv4']), [
      'SingleStack',
      ['IPv4'],
    ]);
  });

  test('refuse families that the cluster does not have, with the error of the reference', () => {
    assert.deepEqual(assigned({ ipFamilyPolicy: 'RequireDualStack' }, ['IPv4']), [
      'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
    ]);
    assert.deepEqual(assigned({ ipFamilies: ['IPv6'] }, ['IPv4']), [
      'spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster',
    ]);
    assert.deepEqual(assigned({ clusterIP: 'fd00::1', clusterIPs: ['fd00::1'] }, ['IPv4']), [
      'spec.clusterIPs[0]: Invalid value: ["fd00::1"]: IPv6 is not configured on this cluster',
    ]);
    assert.deepEqual(assigned({ clusterIPs: ['10.0.130.2'] }, ['IPv4']), [
      'spec.clusterIPs: Invalid value: ["10.0.130.2"]: must be empty when `clusterIP` is not specified',
    ]);
  });

  test('are completed from the cluster IPs for Services stored by older releases', () => {
    const completed = (spec: JsonObject): unknown => {
      const made = service(spec);
      completeFamilies(made, ['IPv6']);
      return [objectAt(made, 'spec')?.['ipFamilyPolicy'], objectAt(made, 'spec')?.['ipFamilies']];
    };
    assert.deepEqual(completed({ clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'] }), ['SingleStack', ['IPv4']]);
    assert.deepEqual(completed({ clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1', 'fd00::1'] }), [
      'RequireDualStack',
      ['IPv4', 'IPv6'],
    ]);
    assert.deepEqual(completed({ clusterIP: 'None', clusterIPs: ['None'] }), ['RequireDualStack', ['IPv6', 'IPv4']]);
    assert.deepEqual(completed({ clusterIP: 'None', clusterIPs: ['None'], selector: { a: 'b' } }), [
      'SingleStack',
      ['IPv6'],
    ]);
    assert.deepEqual(completed({ type: 'ExternalName' }), [undefined, undefined]);
    assert.deepEqual(completed({ ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4'] }), [
      'PreferDualStack',
      ['IPv4'],
    ]);
  });

  test('release unnamed node ports when allocateLoadBalancerNodePorts becomes false', () => {
    const node = (spec: JsonObject): unknown => {
      const made = service({ type: 'LoadBalancer', ports: [{ port: 80 }], ...spec });
      keepAllocated(
        made,
        service({ type: 'LoadBalancer', allocateLoadBalancerNodePorts: true, ports: [{ port: 80, nodePort: 30_000 }] }),
      );
      return objectAt(made, 'spec')?.['ports'];
    };
    assert.deepEqual(node({ allocateLoadBalancerNodePorts: true }), [{ port: 80, nodePort: 30_000 }]);
    assert.deepEqual(node({ allocateLoadBalancerNodePorts: false }), [{ port: 80 }]);
  });

  test('include both families for PreferDualStack on a dual-stack cluster only', () => {
    assert.deepEqual(assigned({ ipFamilyPolicy: 'PreferDualStack' }, ['IPv4', 'IPv6']), [
      'PreferDualStack',
      ['IPv4', 'IPv6'],
    ]);
    assert.deepEqual(assigned({ ipFamilyPolicy: 'PreferDualStack' }, ['IPv4']), ['PreferDualStack', ['IPv4']]);
  });

  test('keep allocated cluster IPs and node ports when an update leaves them out', () => {
    const old = service({
      type: 'NodePort',
      clusterIP: '10.0.0.9',
      clusterIPs: ['10.0.0.9'],
      ports: [{ port: 80, nodePort: 30_116 }],
    });
    const made = service({ type: 'NodePort', ports: [{ port: 81 }] });
    keepAllocated(made, old);
    normalizeClusterIPs(made, old);
    assert.deepEqual(made['spec'], {
      type: 'NodePort',
      clusterIP: '10.0.0.9',
      clusterIPs: ['10.0.0.9'],
      ports: [{ port: 81, nodePort: 30_116 }],
    });
  });
});
