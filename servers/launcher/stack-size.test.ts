import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { nodeWithStack } from './stack-size.ts';

const mib = 1024 * 1024;

function limits(soft: number | 'unlimited', hard: number | 'unlimited'): string {
  return `Limit                     Soft Limit           Hard Limit           Units     \nMax data size             unlimited            unlimited            bytes     \nMax stack size            ${String(soft).padEnd(20)} ${String(hard).padEnd(20)} bytes     \n`;
}

test('the stack is as large as the machine allows, with something left', () => {
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

test('a limit that may be raised is raised for the program, where there is a shell to do it', () => {
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

test('where the limit is small or unknown, and where a size was given, it is left alone', () => {
  for (const [given, text] of [
    [[], limits(mib, mib)],
    [[], ''],
    [['--stack-size=2000'], limits(8 * mib, 8 * mib)],
  ] as const) {
    assert.deepEqual(nodeWithStack(given, text), { file: process.execPath, args: [] });
  }
});
