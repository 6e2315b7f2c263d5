import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { isLeftOver, reviseFlowControl } from './revise-flow-control.ts';

const annotation = 'apf.kubernetes.io/autoupdate-spec';

function schema(precedence: number, said?: string, generation = 2): KubeObject {
  const annotations = said === undefined ? {} : { annotations: { [annotation]: said } };
  return asKubeObject({
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    metadata: { name: 's', generation, ...annotations },
    spec: { matchingPrecedence: precedence },
  });
}

/** What a present object says afterwards, or undefined where it was left alone. */
function revised(present: KubeObject, isMandatory = false): readonly [unknown, unknown] | undefined {
  const spec = (): JsonObject => present['spec'] as JsonObject;
  return reviseFlowControl(present, schema(100), isMandatory)
    ? [spec()['matchingPrecedence'], present.metadata.annotations?.[annotation]]
    : undefined;
}

describe('flow control bootstrap', () => {
  test('overwrites the spec when the autoupdate annotation is true and keeps it when false', () => {
    assert.deepEqual(revised(schema(1, 'true')), [100, 'true']);
    assert.equal(revised(schema(1, 'false')), undefined);
    assert.equal(revised(schema(100, 'T')), undefined);
  });

  test('updates an object without annotation only until a user changes its spec', () => {
    assert.deepEqual(revised(schema(1, undefined, 1)), [100, 'true']);
    assert.deepEqual(revised(schema(1, 'maybe', 2)), [1, 'false']);
  });

  test('always overwrites a mandatory object', () => {
    assert.deepEqual(revised(schema(1, 'false'), true), [100, 'true']);
  });

  test('keeps the shares of the exempt priority level', () => {
    const level = (shares: number): KubeObject =>
      asKubeObject({
        apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
        kind: 'PriorityLevelConfiguration',
        metadata: { name: 'exempt', annotations: { [annotation]: 'true' } },
        spec: { type: 'Exempt', exempt: { nominalConcurrencyShares: shares, lendablePercent: 0 } },
      });
    assert.equal(reviseFlowControl(level(7), level(0), true), false);
  });

  test('treats an object as left over only when its annotation says that the server made it', () => {
    assert.equal(isLeftOver(schema(1, 'true'), new Set()), true);
    assert.equal(isLeftOver(schema(1, 'true'), new Set(['s'])), false);
    assert.equal(isLeftOver(schema(1), new Set()), false);
  });
});
