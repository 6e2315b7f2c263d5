import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resolveFeatureGates, type EffectiveVersion } from './feature-gates.ts';

const own: EffectiveVersion = { emulation: '1.36', minCompatibility: '1.35' };

describe('resolveFeatureGates', () => {
  test('gives a gate the default of its stage in the emulated release', () => {
    assert.equal(resolveFeatureGates({}, own).gates.isEnabled('AtomicFIFO'), true);
    assert.equal(
      resolveFeatureGates({}, { emulation: '1.35', minCompatibility: '1.34' }).gates.isEnabled('AtomicFIFO'),
      false,
    );
  });

  test('sets all beta gates that are not named by AllBeta', () => {
    const { gates, errors } = resolveFeatureGates({ AllBeta: 'true', PodCertificateRequest: 'false' }, own);
    assert.deepEqual(errors, []);
    assert.equal(gates.isEnabled('ClusterTrustBundle'), true);
    assert.equal(gates.isEnabled('PodCertificateRequest'), false);
    assert.equal(gates.isEnabled('CBORServingAndStorage'), false);
  });

  for (const [given, version, errors] of [
    [{ Nope: 'true' }, own, ['unrecognized feature gate: Nope']],
    [
      { APIServerTracing: 'false' },
      own,
      ['cannot set feature gate APIServerTracing to false, feature is locked to true'],
    ],
    [
      { AtomicFIFO: 'perhaps' },
      own,
      ['invalid value of AtomicFIFO=perhaps, err: strconv.ParseBool: parsing "perhaps": invalid syntax'],
    ],
    [{ AtomicFIFO: '' }, own, ['missing bool value for AtomicFIFO']],
    [
      { AtomicFIFO: 'true' },
      { emulation: '1.35', minCompatibility: '1.34' },
      [
        'cannot set feature gate AtomicFIFO to true, feature is PreAlpha at emulated version 1.35, min compatibility version 1.34',
      ],
    ],
    [
      { WorkloadWithJob: 'true' },
      own,
      ['WorkloadWithJob is enabled, but depends on features that are disabled: [GenericWorkload]'],
    ],
  ] as const) {
    test(`rejects ${JSON.stringify(given)} at ${version.emulation}`, () =>
      assert.deepEqual(resolveFeatureGates(given, version).errors, errors));
  }
});
