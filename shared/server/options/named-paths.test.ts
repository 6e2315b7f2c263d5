import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import { withDataDirectoryDefaults } from '#shared/process/data-directory.ts';
import { flagName } from './flag-set.ts';
import { fileFlags } from './named-paths.ts';
import { parseServerOptions } from './parse-server-options.ts';

describe('parseServerOptions', () => {
  test('rejects an empty name of a folder, which would be the current one', () => {
    for (const flag of ['--data-dir', '--snapshot-dir'])
      for (const value of ['', ' '])
        assert.deepEqual(parseServerOptions([`${flag}=${value}`]).errors, [
          `${flag} "" names no folder (is a variable not set?): name one, or leave the flag out`,
        ]);
  });

  test('takes an empty file or --cert-dir as if the flag were not given', () => {
    for (const key of [...fileFlags, 'certDir'] as const) {
      const { options, given, errors } = parseServerOptions([`--${flagName(key)}=`]);
      assert.deepEqual([errors, [...given]], [[], []], key);
      const { tlsCertFile, clientCaFile } = withDataDirectoryDefaults(options, given);
      assert.ok(tlsCertFile.startsWith(resolve('.quarterdeck')), key);
      assert.ok(clientCaFile.startsWith(resolve('.quarterdeck')), key);
    }
  });
});
