import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultGates, defaultDependencies } from '#servers/core/testing/default-dependencies.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { turnsDuring } from '#shared/apimachinery/slices/testing/turns-during.ts';
import { networkPolicyStrategy } from './network-policies.ts';
import { validateNetworkPolicy } from './network-policy-validation.ts';

const strategy = networkPolicyStrategy(defaultDependencies);

function policy(except: readonly string[], ports: JsonObject[] = []): KubeObject {
  return asKubeObject({
    metadata: { name: 'a' },
    spec: { ingress: [{ ports, from: [{ ipBlock: { cidr: '10.0.0.0/8', except: [...except] } }] }] },
  });
}

describe('NetworkPolicy strategy', () => {
  test('refuses an endPort below the port and exceptions outside the CIDR block', () => {
    const wrong = policy(['10.1.0.0/16', '10.0.0.0/8', '11.0.0.0/16', 'x'], [{ port: 80, endPort: 70 }, { port: 1 }]);
    assert.deepEqual(
      atOnce(validateNetworkPolicy(wrong, defaultGates)).map(({ field }) => field),
      [
        'spec.ingress[0].ports[0].endPort',
        'spec.ingress[0].from[0].ipBlock.except[1]',
        'spec.ingress[0].from[0].ipBlock.except[2]',
        'spec.ingress[0].from[0].ipBlock.except[3]',
      ],
    );
  });

  test('yields to the event loop while it validates 5,000 exceptions and warns about them', async () => {
    const except = Array.from({ length: 5_000 }, (_, at) => `10.${at >> 8}.${at & 255}.000/24`);
    const judged = await turnsDuring(validateNetworkPolicy(policy(except), defaultGates));
    assert.ok(judged.turns > 5, `${judged.turns} turns`);
    const warned = await turnsDuring(strategy.warningsInSteps?.(policy(except), undefined) ?? assert.fail());
    assert.ok(warned.turns > 5, `${warned.turns} turns`);
    assert.equal(warned.value.length, except.length);
  });
});
