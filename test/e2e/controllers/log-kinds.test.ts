import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { logKinds } from './log-kinds.ts';

describe('logKinds', () => {
  test('joins error lines that differ only in names, numbers and times', () => {
    const log = [
      'E1121 06:20:36.123456    1234 replica_set.go:562] "Unhandled Error" err="sync \\"default/web-5d78c9869d\\" failed with 12 pods missing"',
      'E1121 06:21:01.000001    1234 replica_set.go:562] "Unhandled Error" err="sync \\"other/db-7f8b9c6d5e\\" failed with 3 pods missing"',
      'I1121 06:21:01.000001    1234 replica_set.go:1] "Fine"',
      'W1121 06:21:02.000001    1234 reflector.go:569] watch of *v1.Pod ended',
    ].join('\n');
    assert.deepEqual(logKinds(log), [
      'E replica_set.go Unhandled Error: sync "…" failed with N pods missing',
      'W reflector.go watch of *v1.Pod ended',
    ]);
  });

  test('leaves out write conflicts, which depend on timing', () => {
    assert.deepEqual(
      logKinds(
        'E1121 06:20:36.123456    1234 a.go:5] "Failed" err="Operation cannot be fulfilled on pods \\"a\\": the object has been modified; please apply"',
      ),
      [],
    );
  });

  test('leaves out controllers with an outdated informer cache, which depend on timing', () => {
    assert.deepEqual(
      logKinds(
        'E1121 06:20:36.123456    1234 endpointslice_controller.go:5] "Unhandled Error" err="EndpointSlice informer cache is out of date"',
      ),
      [],
    );
  });
});
