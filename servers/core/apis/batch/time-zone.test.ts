import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { readGen } from '#shared/api/gen-folder.ts';
import { timeZoneError } from './time-zone.ts';

const folder = mkdtempSync(join(tmpdir(), 'zoneinfo-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A time zone of version 1 that has one offset and no transitions. */
const zone = Buffer.concat([
  Buffer.from('TZif'),
  Buffer.alloc(16),
  ...[0, 0, 0, 0, 1, 4].map((count) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(count);
    return bytes;
  }),
  Buffer.from([0, 0, 0, 0, 0, 0]),
  Buffer.from('UTC\0'),
]);
for (const name of ['right', 'Europe']) mkdirSync(join(folder, name));
writeFileSync(join(folder, 'posixrules'), zone);
writeFileSync(join(folder, 'right', 'UTC'), zone);
writeFileSync(join(folder, 'truncated'), zone.subarray(0, zone.length - 1));
writeFileSync(join(folder, 'leapseconds'), '# leap seconds');

describe('timeZoneError', () => {
  test('accepts every name of the embedded database, wherever the system has none', () => {
    const names = readGen<readonly string[]>('time-zones');
    assert.deepEqual(
      names.filter((name) => timeZoneError(name, []) !== undefined),
      [],
    );
    assert.ok(names.length > 590);
  });

  test('rejects every such name in another case', () => {
    const names = new Set(readGen<readonly string[]>('time-zones'));
    for (const name of names)
      for (const changed of [name.toLowerCase(), name.toUpperCase()])
        if (!names.has(changed)) assert.equal(timeZoneError(changed, []), `unknown time zone ${changed}`);
  });

  // What kube-apiserver v1.36.3 says where /usr/share/zoneinfo has such files and folders (test/conformance/time-zones).
  for (const [name, expected] of [
    ['posixrules', undefined],
    ['right/UTC', undefined],
    ['Europe', 'is a directory'],
    ['posixrules/x', 'not a directory'],
    ['leapseconds', 'malformed time zone information'],
    ['truncated', 'malformed time zone information'],
    ['posix/UTC', 'unknown time zone posix/UTC'],
    ['./posixrules', 'unknown time zone ./posixrules'],
    ['right/..', 'unknown time zone right/..'],
    ['right/..a', 'time: invalid location name'],
    [`${'a/'.repeat(3000)}a`, 'file name too long'],
  ] as const) {
    test(`says of ${name.slice(0, 20)} what the system's files say: ${expected ?? 'a time zone'}`, () => {
      assert.equal(timeZoneError(name, ['/nonexistent', folder]), expected);
    });
  }
});
