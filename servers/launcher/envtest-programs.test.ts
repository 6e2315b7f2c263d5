import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { envtestProgram } from './envtest-programs.ts';

describe('envtestProgram', () => {
  test('gives etcd a socket beside it, by the port of its clients', () => {
    const flags = ['--data-dir', 'd', '--listen-client-urls=http://127.0.0.1:1234,http://127.0.0.1:1'];
    assert.deepEqual(envtestProgram(['etcd', '/folder', ...flags]), {
      module: 'store',
      argv: [...flags, '--listen-unix-socket', '/folder/1234.sock'],
    });
    assert.deepEqual(
      envtestProgram(['etcd', '/folder', '--listen-client-urls', 'http://localhost:5'])?.argv.at(-1),
      '/folder/5.sock',
    );
  });

  test('gives etcd no socket where nobody could find it', () => {
    for (const flags of [['--help'], ['--listen-client-urls=http://127.0.0.1:0'], ['--listen-client-urls']])
      assert.deepEqual(envtestProgram(['etcd', '/folder', ...flags])?.argv, flags);
  });

  test('tells kube-apiserver the folder', () => {
    assert.deepEqual(envtestProgram(['kube-apiserver', '/folder', '--help']), {
      module: 'host',
      argv: ['kube-apiserver', '/folder', '--help'],
    });
  });

  test('takes no other words', () => {
    for (const words of [[], ['--help'], ['etcd'], ['kubectl', '/folder']])
      assert.equal(envtestProgram(words), undefined);
  });
});
