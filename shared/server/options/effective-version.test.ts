import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { effectiveVersion, effectiveVersionErrors } from './effective-version.ts';

const flags = {
  emulatedVersion: [],
  minCompatibilityVersion: [],
  emulationForwardCompatible: false,
  runtimeConfigEmulationForwardCompatible: false,
};

describe('effectiveVersion', () => {
  test('takes the release before the emulated one as the lowest compatible version', () => {
    assert.deepEqual(effectiveVersion(flags), { emulation: '1.36', minCompatibility: '1.35' });
    assert.deepEqual(effectiveVersion({ ...flags, emulatedVersion: ['kube=1.34'] }), {
      emulation: '1.34',
      minCompatibility: '1.33',
    });
    assert.deepEqual(effectiveVersion({ ...flags, emulatedVersion: ['1.33'] }), {
      emulation: '1.33',
      minCompatibility: '1.33',
    });
  });
});

describe('effectiveVersionErrors', () => {
  for (const [changed, errors] of [
    [
      { emulatedVersion: ['kube=1.20'] },
      [
        'emulation version 1.20 is not between [1.33, 1.36.0]',
        'minCompatibilityVersion version 1.33 is not between [1.33, 1.20]',
      ],
    ],
    [{ emulatedVersion: ['1.40'] }, ['emulation version 1.40 is not between [1.33, 1.36.0]']],
    [
      { emulatedVersion: ['1.34'], minCompatibilityVersion: ['1.35'] },
      ['minCompatibilityVersion version 1.35 is not between [1.33, 1.34]'],
    ],
    [{ emulatedVersion: ['wardle=1.2'] }, ['component not registered: wardle']],
    [{ emulatedVersion: ['1.35.1'] }, ['patch version not allowed, got: kube=1.35.1']],
    [{ emulatedVersion: ['new'] }, ['could not parse "new" as version']],
    [{ emulatedVersion: ['1.34', '1.35'] }, ['duplicate version flag, kube=1.34 and kube=1.35']],
    [
      { emulationForwardCompatible: true },
      [
        'ServerRunOptions.EmulationForwardCompatible cannot be set to true if the emulation version is the same as the binary version',
      ],
    ],
  ] as const) {
    test(`refuses ${JSON.stringify(changed)}`, () =>
      assert.deepEqual(effectiveVersionErrors({ ...flags, ...changed }), errors));
  }
});
