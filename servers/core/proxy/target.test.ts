import assert from 'node:assert/strict';
import { test } from 'node:test';
import { targetAt } from './target.ts';

function refusal(port: string): string {
  try {
    targetAt('', '10.1.2.3', port);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

// Texts of kube-apiserver v1.36.3 for `pods/p:PORT/proxy`.
test("a port that nothing can listen on is refused as Go's dialer refuses it", () => {
  assert.equal(refusal('65536'), 'error trying to reach service: dial tcp: address 65536: invalid port');
  assert.equal(
    refusal('99999999999999999999'),
    'error trying to reach service: dial tcp: address 99999999999999999999: invalid port',
  );
  assert.equal(refusal('0'), 'error trying to reach service: dial tcp 10.1.2.3:0: connect: connection refused');
});

test('a target has the port that was asked for, or that of its protocol', () => {
  assert.equal(targetAt('', '10.1.2.3', '65535').port, 65_535);
  assert.equal(targetAt('', '10.1.2.3', '00080').port, 80);
  assert.equal(targetAt('https', '10.1.2.3', '').port, 443);
});
