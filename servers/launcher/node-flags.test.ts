import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { childFlags, debuggerFlags, missingNodeFlags, nodeFlags } from './node-flags.ts';

describe('flags against debuggers', () => {
  test('keep SIGUSR1 from opening one', () => {
    assert.ok(childFlags().includes('--disable-sigusr1'));
  });

  for (const [given, options] of [
    [['--inspect'], ''],
    [['--inspect-brk=9230'], ''],
    [[], '--max-http-header-size=9000 --inspect=0.0.0.0:9229'],
  ] as const)
    test(`give each debugger a port of its own with ${[...given, options].join(' ').trim()}`, () => {
      assert.equal(debuggerFlags(given, { NODE_OPTIONS: options }).at(-1), '--inspect-port=0');
    });

  test('open none where nobody asked for one', () => {
    for (const options of ['', '--inspect-publish-uid=http --inspector-like'])
      assert.deepEqual(debuggerFlags([], { NODE_OPTIONS: options }), ['--disable-sigusr1']);
  });
});

describe('flags of server processes', () => {
  test('are all added to a process without flags', () => {
    assert.deepEqual(missingNodeFlags([]), nodeFlags);
  });

  test('are not added twice', () => {
    assert.deepEqual(missingNodeFlags(nodeFlags), []);
  });

  test('keep the value that a user gave', () => {
    assert.deepEqual(missingNodeFlags(['--max-semi-space-size=64', '--expose-gc']), [
      '--disable-warning=ExperimentalWarning',
      '--disable-sigusr1',
    ]);
  });

  test('are added beside another disabled warning', () => {
    assert.deepEqual(missingNodeFlags(['--disable-warning=DEP0040']), nodeFlags);
  });
});
