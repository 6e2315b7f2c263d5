import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { completedFlagValues, flagValues } from './flag-values.ts';
import { resolveServerOptions } from './server-options.ts';

describe('values of flags', () => {
  test('are printed in the form of their kind', () => {
    const values = flagValues(
      resolveServerOptions({
        allowMetricLabels: { 'apiserver_request_total,verb': 'GET' },
        apiAudiences: ['a,b', 'c'],
        featureGates: { A: 'true', B: 'false' },
        oidcRequiredClaim: { a: 'b' },
        vmodule: [
          ['a', 1],
          ['b*', 2],
        ],
      }),
    );
    const asked = ['allow-metric-labels', 'api-audiences', 'feature-gates', 'oidc-required-claim', 'vmodule'];
    assert.deepEqual(
      asked.map((name) => values[name]),
      ['["apiserver_request_total,verb=GET"]', '["a,b",c]', ':A=true,:B=false', 'a=b', 'a=1,b*=2'],
    );
  });

  test('are completed with what is left to the server', () => {
    const values = completedFlagValues(
      resolveServerOptions({ advertiseAddress: '192.0.2.1', watchCacheSizes: ['pods#5', 'events#7'] }),
    );
    const asked = ['advertise-address', 'external-hostname', 'watch-cache-sizes', 'admission-control', 'kubelet-port'];
    assert.deepEqual(
      asked.map((name) => values[name]),
      ['192.0.2.1', '192.0.2.1', '[events.events.k8s.io#0,pods#5,events#7]', '[]', '10250'],
    );
  });
});
