import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { parseServerOptions } from './parse-server-options.ts';

const folder = mkdtempSync(join(tmpdir(), 'unreadable-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const [there, missing] = [join(folder, 'there.pem'), join(folder, 'missing.pem')];
writeFileSync(there, '');

describe('parseServerOptions', () => {
  test('reports all unreadable files together, each with its flag, value and remedy', () => {
    mkdirSync(join(folder, 'folder.pem'));
    const { errors } = parseServerOptions([
      '--etcd-cafile',
      missing,
      '--token-auth-file',
      join(folder, 'folder.pem'),
      '--service-account-key-file',
      there,
      '--service-account-key-file',
      missing,
      '--client-ca-file',
      there,
    ]);
    assert.deepEqual(errors, [
      `--etcd-cafile "${missing}": there is no such file; name one that is there, or leave the flag out`,
      `--service-account-key-file "${missing}": there is no such file; name one that is there, or leave the flag out`,
      `--token-auth-file "${join(folder, 'folder.pem')}": this is a folder; name a file`,
    ]);
    chmodSync(there, 0o000);
    const expected =
      process.getuid?.() === 0
        ? []
        : [
            `--client-ca-file "${there}": this file may not be read by the user of the server; give it the right, or name another`,
          ];
    assert.deepEqual(parseServerOptions(['--client-ca-file', there]).errors, expected);
  });

  test('accepts a missing file of the data directory that a start makes', () => {
    assert.deepEqual(
      parseServerOptions(['--data-dir', folder, '--client-ca-file', join(folder, 'pki', 'ca.crt')]).errors,
      [],
    );
  });
});

describe('--version', () => {
  test('prints, accepts and refuses values as the reference does', () => {
    const answer = (...argv: string[]): string | undefined => parseServerOptions(argv).answer;
    assert.equal(answer('--version'), 'Kubernetes v1.36.3\n');
    assert.match(
      String(answer('--version=raw')),
      /^version\.Info\{Major:"1", Minor:"36", EmulationMajor:"", EmulationMinor:"", MinCompatibilityMajor:"", MinCompatibilityMinor:"", GitVersion:"v1\.36\.3", GitCommit:".*", GitTreeState:"", BuildDate:"1970-01-01T00:00:00Z", GoVersion:"\S+", Compiler:"\S+", Platform:"\S+"\}\n$/,
    );
    assert.deepEqual(
      [answer('--version=false'), answer('--version=v1.36.3'), answer('--version=v1.36.3-custom.1+build'), answer()],
      [undefined, undefined, undefined, undefined],
    );
    // As kube-apiserver v1.36.3 says it.
    const errors = {
      abc: 'strconv.ParseBool: parsing "abc": invalid syntax',
      v9: 'illegal version string "v9"',
      vx: 'could not parse "vx" as version',
      'v1.36.03': 'illegal zero-prefixed version component "03" in "v1.36.03"',
      'v1.36.3custom': 'could not parse pre-release/metadata (custom) in version "v1.36.3custom"',
      'v1.36.3-a.01': 'illegal zero-prefixed version component "01" in "v1.36.3-a.01"',
      'v1.36.4-custom': 'version "v1.36.4-custom" must match major/minor/patch of default version "v1.36.3"',
      'v1.2.3': 'version "v1.2.3" must match major/minor/patch of default version "v1.36.3"',
    };
    assert.deepEqual(parseServerOptions(['--version=v1.36.3-custom.1+build']).errors, []);
    for (const [value, error] of Object.entries(errors))
      assert.deepEqual(parseServerOptions([`--version=${value}`]).errors, [
        `invalid argument "${value}" for "--version" flag: ${error}`,
      ]);
  });
});
