import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  readPodSecurityConfiguration,
  type LevelVersion,
} from '#shared/admission/configuration/pod-security-configuration.ts';
import { pod, podAttributes, refusalOf } from '#shared/admission/testing/attributes.ts';
import { FakeCaches } from '#shared/admission/testing/fake-caches.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { warningsOfPods } from './existing-pods.ts';
import { PodSecurity } from './pod-security.ts';
import { printViolations, violationsOf } from './policy-checks.ts';
import { formatLevelVersion, namespacePolicy } from './policy-level.ts';

function namespace(labels: Record<string, string>): KubeObject {
  return {
    metadata: {
      name: 'a',
      labels: Object.fromEntries(
        Object.entries(labels).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value]),
      ),
    },
  };
}

const modes = (labels: Record<string, string>): string[] => {
  const { enforce, audit, warn } = namespacePolicy(namespace(labels), defaults);
  return [enforce, audit, warn].map((mode) => formatLevelVersion(mode));
};

const { defaults } = readPodSecurityConfiguration(undefined);

describe('PodSecurity', () => {
  test('warns at the enforced level unless the namespace names a warn level', () => {
    assert.deepEqual(modes({}), ['privileged:latest', 'privileged:latest', 'privileged:latest']);
    assert.deepEqual(modes({ enforce: 'baseline', 'enforce-version': 'v1.20' }), [
      'baseline:v1.20',
      'privileged:latest',
      'baseline:v1.20',
    ]);
    assert.deepEqual(modes({ enforce: 'baseline', 'warn-version': 'v1.7' }), [
      'baseline:latest',
      'privileged:latest',
      'baseline:v1.7',
    ]);
    assert.deepEqual(modes({ enforce: 'baseline', warn: 'privileged' }), [
      'baseline:latest',
      'privileged:latest',
      'privileged:latest',
    ]);
  });

  test('enforces "restricted" for an unknown enforce level and ignores unknown audit and warn levels', () => {
    assert.deepEqual(modes({ enforce: 'x', audit: 'y', warn: 'z' }), [
      'restricted:latest',
      'privileged:latest',
      'privileged:latest',
    ]);
    assert.equal(namespacePolicy(namespace({ enforce: 'x', 'audit-version': 'v1.01' }), defaults).errors.length, 2);
  });

  test('applies the checks of the named Kubernetes version', () => {
    const violations = (level: LevelVersion['level'], minor: number, spec: KubeObject['spec'] & object): string =>
      printViolations(violationsOf({ level, minor }, spec as never, {}));
    const probe = { containers: [{ name: 'c', livenessProbe: { tcpSocket: { host: 'h' } } }] };
    assert.equal(violations('baseline', 33, probe), '');
    assert.equal(
      violations('baseline', 34, probe),
      'probe or lifecycle host (container "c" uses probe or lifecycle host "h")',
    );
    const unmasked = { hostUsers: false, containers: [{ name: 'c', securityContext: { procMount: 'Unmasked' } }] };
    assert.equal(
      violations('baseline', 34, unmasked),
      'procMount (container "c" must not set securityContext.procMount to "Unmasked")',
    );
    assert.equal(violations('baseline', 35, unmasked), '');
    const windows = { os: { name: 'windows' }, securityContext: { runAsNonRoot: true }, containers: [{ name: 'c' }] };
    assert.equal(violations('restricted', Infinity, windows), '');
    assert.match(violations('restricted', 24, windows), /allowPrivilegeEscalation != false/);
  });

  test('checks a pod update only when its images change', async () => {
    const caches = new FakeCaches();
    caches.put('', 'namespaces', namespace({ enforce: 'baseline' }));
    const update = (image: string): ReturnType<typeof refusalOf> =>
      refusalOf(
        new PodSecurity(caches),
        podAttributes({
          operation: 'UPDATE',
          oldObject: pod({ hostPID: true }),
          object: pod({ hostPID: true, containers: [{ name: 'c', image }] }),
        }),
      );
    assert.equal(await update('i'), undefined);
    assert.equal(
      (await update('j'))?.message,
      'pods "p" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostPID=true)',
    );
  });

  test('writes audit annotations for violations and for the enforced level', async () => {
    const caches = new FakeCaches();
    caches.put('', 'namespaces', namespace({ audit: 'baseline' }));
    const notes = new Map<string, string>();
    await refusalOf(
      new PodSecurity(caches),
      podAttributes({ object: pod({ hostIPC: true }), addAuditAnnotation: (key, value) => void notes.set(key, value) }),
    );
    assert.deepEqual(
      [...notes],
      [
        [
          'pod-security.kubernetes.io/audit-violations',
          'would violate PodSecurity "baseline:latest": host namespaces (hostIPC=true)',
        ],
        ['pod-security.kubernetes.io/enforce-policy', 'privileged:latest'],
      ],
    );
  });

  test('warns about existing pods that violate a new enforce level of the namespace', () => {
    const of = (name: string, spec: KubeObject['spec'] & object): KubeObject => pod(spec, name);
    const pods = [
      of('b', { hostPID: true }),
      of('a', { hostPID: true }),
      of('c', { hostIPC: true }),
      of('d', { hostPID: true }),
      of('e', {}),
    ];
    assert.deepEqual(warningsOfPods('n', pods, { level: 'baseline', minor: Infinity }), [
      'existing pods in namespace "n" violate the new PodSecurity enforce level "baseline:latest"',
      'a (and 3 other pods): host namespaces',
    ]);
    assert.deepEqual(warningsOfPods('n', [of('e', {})], { level: 'baseline', minor: Infinity }), []);
  });
});
