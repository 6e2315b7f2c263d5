import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultGates } from '#servers/core/testing/default-dependencies.ts';
import { path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { podWarnings } from './pods.ts';

const pod = (spec: JsonObject): JsonObject => ({ spec: { containers: [{ name: 'c' }], ...spec } });

describe('podWarnings', () => {
  test('warns once about a port that two containers share', () => {
    const ports = [{ containerPort: 80, protocol: 'TCP', name: 'web' }];
    assert.deepEqual(
      podWarnings(
        pod({
          containers: [
            { name: 'c', ports },
            { name: 'd', ports },
          ],
        }),
        defaultGates,
        path('spec', 'template'),
      ),
      [
        'spec.template.spec.containers[1].ports[0]: duplicate port definition with spec.template.spec.containers[0].ports[0]',
        'spec.template.spec.containers[1].ports[0]: duplicate port name "web" with spec.template.spec.containers[0].ports[0], services and probes that select ports by name will use spec.template.spec.containers[0].ports[0]',
      ],
    );
  });

  test('warns about overlapping paths by folder, not by common prefix', () => {
    const items = ['a', 'ab', 'a/b'].map((file) => ({ key: 'k', path: file }));
    assert.deepEqual(
      podWarnings(pod({ volumes: [{ name: 'v', configMap: { name: 'm', items } }] }), defaultGates, undefined),
      ['volume "v" (ConfigMap "m"): overlapping paths: "a/b" with "a"'],
    );
  });

  test('uses the path metadata.annotations for annotations of a pod', () => {
    const metadata = { annotations: { 'scheduler.alpha.kubernetes.io/critical-pod': '' } };
    assert.deepEqual(podWarnings({ metadata, ...pod({}) }, defaultGates, undefined), [
      'metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead',
    ]);
  });
});
