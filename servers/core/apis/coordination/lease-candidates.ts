import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import { invalid, path, required, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { isConfigMapKey } from '#shared/apimachinery/validation/names.ts';
import {
  compareSemanticVersions,
  parseSemanticVersion,
  type SemanticVersion,
} from '#shared/apimachinery/values/semantic-version.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { validateLeaseStrategy } from './lease-strategy.ts';
import { leaseCandidateRows } from './rows.ts';

/** LeaseCandidates (pkg/registry/coordination/leasecandidate). */
const leaseCandidateStrategy: Strategy = {
  validateName: isConfigMapKey,
  validate: validateCandidate,
  validateUpdate: (candidate, old) => {
    const name = stringAt(candidate, 'spec', 'leaseName');
    const changed = name !== stringAt(old, 'spec', 'leaseName');
    return [
      ...validateCandidate(candidate),
      ...(changed ? [invalid(path('spec', 'leaseName'), name, 'field is immutable')] : []),
    ];
  },
};

const field = path('spec');

function validateCandidate(candidate: KubeObject): FieldError[] {
  const errors = stringAt(candidate, 'spec', 'leaseName') === '' ? [required(field.child('leaseName'), '')] : [];
  const emulation = versionAt(candidate, 'emulationVersion', errors);
  const binary = versionAt(candidate, 'binaryVersion', errors, true);
  if (binary.text !== '' && emulation.text !== '' && compareSemanticVersions(binary.version, emulation.version) < 0) {
    errors.push(
      invalid(field.child('binaryVersion'), binary.text, 'must be greater than or equal to `emulationVersion`'),
    );
  }
  const strategy = stringAt(candidate, 'spec', 'strategy');
  const at = field.child('strategy');
  if (strategy === '') return [...errors, required(at, '')];
  if (strategy === 'OldestEmulationVersion' && compareSemanticVersions(emulation.version, none) === 0) {
    errors.push(
      required(field.child('emulationVersion'), "must be specified when `strategy` is 'OldestEmulationVersion'"),
    );
  }
  return [...errors, ...validateLeaseStrategy(strategy, at)];
}

/** Stands in for a version that is missing or invalid. */
const none: SemanticVersion = { numbers: [0n, 0n, 0n], prerelease: [] };

function versionAt(
  candidate: KubeObject,
  name: string,
  errors: FieldError[],
  isRequired = false,
): { readonly text: string; readonly version: SemanticVersion } {
  const text = stringAt(candidate, 'spec', name);
  if (text === '') {
    if (isRequired) errors.push(required(field.child(name), ''));
    return { text, version: none };
  }
  const version = parseSemanticVersion(text);
  if (version === undefined) errors.push(invalid(field.child(name), text, 'must be a valid semantic version'));
  return { text, version: version ?? none };
}

export const leaseCandidateResource = defineBuiltIn({
  group: 'coordination.k8s.io',
  resource: 'leasecandidates',
  rows: leaseCandidateRows,
  strategy: leaseCandidateStrategy,
  writes: {
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: false,
    anyFinalizers: true,
  },
});
