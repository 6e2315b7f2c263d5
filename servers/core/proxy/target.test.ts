import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TargetAgents } from './target-agents.ts';
import { targetAt } from './target.ts';

const agents = new TargetAgents();

function refusal(port: string): string {
  try {
    targetAt('', '10.1.2.3', port, agents);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

describe('targetAt', () => {
  // Texts of kube-apiserver v1.36.3 for `pods/p:PORT/proxy`.
  test("refuses port 0 and ports above 65535 with the error text of Go's dialer", () => {
    assert.equal(refusal('65536'), 'error trying to reach service: dial tcp: address 65536: invalid port');
    assert.equal(
      refusal('99999999999999999999'),
      'error trying to reach service: dial tcp: address 99999999999999999999: invalid port',
    );
    assert.equal(refusal('0'), 'error trying to reach service: dial tcp 10.1.2.3:0: connect: connection refused');
  });

  test('uses the given port or the default port of the scheme', () => {
    assert.equal(targetAt('', '10.1.2.3', '65535', agents).port, 65_535);
    assert.equal(targetAt('', '10.1.2.3', '00080', agents).port, 80);
    assert.equal(targetAt('https', '10.1.2.3', '', agents).port, 443);
  });
});
