import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { nodeWithStack } from './stack-size.ts';

const mib = 1024 * 1024;

function limits(soft: number | 'unlimited', hard: number | 'unlimited'): string {
  return `Limit                     Soft Limit           Hard Limit           Units     \nMax data size             unlimited            unlimited            bytes     \nMax stack size            ${String(soft).padEnd(20)} ${String(hard).padEnd(20)} bytes     \n`;
}

describe('nodeWithStack', () => {
  test('sets the stack size below the limit of the machine', () => {
    assert.deepEqual(nodeWithStack([], limits('unlimited', 'unlimited')), {
      file: process.execPath,
      args: ['--stack-size=31744'],
    });
    assert.deepEqual(nodeWithStack([], limits(64 * mib, 64 * mib)), {
      file: process.execPath,
      args: ['--stack-size=31744'],
    });
    assert.deepEqual(nodeWithStack([], limits(8 * mib, 8 * mib)), {
      file: process.execPath,
      args: ['--stack-size=7168'],
    });
  });

  test('raises a soft limit with the shell when the hard limit allows it', () => {
    const { file, args } = nodeWithStack([], limits(8 * mib, 'unlimited'));
    if (!existsSync('/bin/sh')) {
      assert.deepEqual({ file, args }, { file: process.execPath, args: [] });
      return;
    }
    const limit = execFileSync(
      file,
      [...args, '-p', 'require("fs").readFileSync("/proc/self/limits", "utf8") + process.execArgv[0]'],
      { encoding: 'utf8' },
    );
    assert.match(limit, /^Max stack size +33554432 [^]*--stack-size=31744$/m);
  });

  test('leaves the stack size unchanged when the limit is small or unknown or a size was given', () => {
    for (const [given, text] of [
      [[], limits(mib, mib)],
      [[], ''],
      [['--stack-size=2000'], limits(8 * mib, 8 * mib)],
    ] as const) {
      assert.deepEqual(nodeWithStack(given, text), { file: process.execPath, args: [] });
    }
  });
});
