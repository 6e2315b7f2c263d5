import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findCondition } from '#servers/extensions/crds/conditions.ts';
import type { DefinitionNames, DefinitionView } from '#servers/extensions/facts/definition-view.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { approvalStep } from './approval.ts';
import { establishingStep } from './establishing.ts';
import { namingStep } from './naming.ts';
import { nonStructuralStep } from './non-structural.ts';

const names = {
  plural: 'crontabs',
  singular: 'crontab',
  kind: 'CronTab',
  listKind: 'CronTabList',
  shortNames: ['ct'],
  categories: ['all'],
};

function definition(spec: JsonObject = {}, more: JsonObject = {}): KubeObject {
  return { metadata: { name: 'd' }, spec: { group: 'example.com', names: cloneJson(names), ...spec }, ...more };
}

/** Another definition of the group, whose names are different but for those given. */
function other(more: Partial<DefinitionNames> = {}, group = 'example.com'): DefinitionView {
  return {
    group,
    names: {
      plural: 'as',
      singular: 'a',
      kind: 'A',
      listKind: 'AList',
      shortNames: ['b'],
      categories: ['all'],
      ...more,
    },
  } as DefinitionView;
}

function shown(object: KubeObject, type: Parameters<typeof findCondition>[1]): unknown {
  const { status, reason, message } = findCondition(object, type) ?? {};
  return status === undefined ? undefined : [status, reason, message];
}

// The texts are those of apiextensions-apiserver/pkg/controller/status.
describe('namingStep', () => {
  const taken: [what: string, more: Partial<DefinitionNames>, reason: string, message: string, lost: string][] = [
    ['plural', { plural: 'crontabs' }, 'PluralConflict', '"crontabs" is already in use', 'plural'],
    [
      'plural that is a short name',
      { shortNames: ['crontabs'] },
      'PluralConflict',
      '"crontabs" is already in use',
      'plural',
    ],
    ['singular', { singular: 'crontab' }, 'SingularConflict', '"crontab" is already in use', 'singular'],
    ['short name', { plural: 'ct' }, 'ShortNamesConflict', '"ct" is already in use', 'shortNames'],
    ['kind', { kind: 'CronTab' }, 'KindConflict', '"CronTab" is already in use', 'kind'],
    ['kind that is a list kind', { listKind: 'CronTab' }, 'KindConflict', '"CronTab" is already in use', 'kind'],
    ['list kind', { listKind: 'CronTabList' }, 'ListKindConflict', '"CronTabList" is already in use', 'listKind'],
  ];

  for (const [what, more, reason, message, lost] of taken)
    test(`refuses a ${what} that another definition has`, () => {
      const object = definition();
      namingStep(object, () => [other(more)], 0);
      const { [lost]: _lost, ...rest } = names as Record<string, unknown>;
      assert.deepEqual(objectAt(object, 'status', 'acceptedNames'), rest);
      assert.deepEqual(shown(object, 'NamesAccepted'), ['False', reason, message]);
      assert.deepEqual(shown(object, 'Established'), ['False', 'NotAccepted', 'not all names are accepted']);
    });

  test('accepts names that only definitions of another group have', () => {
    const object = definition();
    namingStep(object, () => [other(), other(names, 'example.org')], 0);
    assert.deepEqual(objectAt(object, 'status', 'acceptedNames'), names);
    assert.deepEqual(shown(object, 'NamesAccepted'), ['True', 'NoConflicts', 'no conflicts found']);
    assert.deepEqual(shown(object, 'Established'), ['False', 'Installing', 'the initial names have been accepted']);
  });

  test('keeps names that the definition already has', () => {
    const object = definition({ names: { ...names, categories: [] } }, { status: { acceptedNames: cloneJson(names) } });
    namingStep(object, () => [other(names)], 0);
    const { categories: _categories, ...rest } = names;
    assert.deepEqual(objectAt(object, 'status', 'acceptedNames'), rest);
    assert.deepEqual(shown(object, 'NamesAccepted'), ['True', 'NoConflicts', 'no conflicts found']);
  });

  test('leaves an established definition established when a new name is refused', () => {
    const established = { type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message: 'm' };
    const object = definition(
      { names: { ...names, kind: 'B' } },
      { status: { acceptedNames: cloneJson(names), conditions: [established] } },
    );
    namingStep(object, () => [other({ kind: 'B' })], 0);
    assert.deepEqual(objectAt(object, 'status', 'acceptedNames'), names);
    assert.deepEqual(shown(object, 'NamesAccepted'), ['False', 'KindConflict', '"B" is already in use']);
    assert.deepEqual(shown(object, 'Established'), ['True', 'InitialNamesAccepted', 'm']);
  });

  test('changes nothing where it would say the same again', () => {
    const object = definition();
    namingStep(object, () => [other({ kind: 'CronTab' })], 0);
    const before = cloneJson(object);
    namingStep(object, () => [other({ kind: 'CronTab' })], 1_000_000);
    assert.deepEqual(object, before);
  });
});

describe('establishingStep', () => {
  const accepted = (status: string): KubeObject =>
    definition({}, { status: { conditions: [{ type: 'NamesAccepted', status, reason: 'r', message: 'm' }] } });

  test('establishes a definition whose names are accepted', () => {
    const object = accepted('True');
    establishingStep(object, () => [], 0);
    assert.deepEqual(shown(object, 'Established'), [
      'True',
      'InitialNamesAccepted',
      'the initial names have been accepted',
    ]);
    const before = cloneJson(object);
    establishingStep(object, () => [], 1_000_000);
    assert.deepEqual(object, before);
  });

  test('waits while names are not accepted', () => {
    const object = accepted('False');
    establishingStep(object, () => [], 0);
    assert.equal(shown(object, 'Established'), undefined);
  });
});

describe('approvalStep', () => {
  const annotated = (group: string, value?: string): KubeObject => {
    const object = definition({ group });
    if (value !== undefined) object.metadata.annotations = { 'api-approved.kubernetes.io': value };
    approvalStep(object, () => [], 0);
    return object;
  };

  for (const [value, status, reason] of [
    ['https://github.com/kubernetes/kubernetes/pull/1', 'True', 'ApprovedAnnotation'],
    ['unapproved, a test', 'False', 'UnapprovedAnnotation'],
    ['a', 'False', 'InvalidAnnotation'],
    [undefined, 'False', 'MissingAnnotation'],
  ] as const)
    test(`sets ${status} with ${reason} for a definition below k8s.io`, () => {
      const [found, why] = shown(annotated('a.k8s.io', value), 'KubernetesAPIApprovalPolicyConformant') as string[];
      assert.deepEqual([found, why], [status, reason]);
    });

  test('sets nothing for other groups', () => {
    assert.equal(shown(annotated('example.com'), 'KubernetesAPIApprovalPolicyConformant'), undefined);
  });
});

describe('nonStructuralStep', () => {
  const versions = [{ name: 'v1', schema: { openAPIV3Schema: { properties: { a: { type: 'string' } } } } }];

  test('tells of violations in a definition that preserves unknown fields, until it is mended', () => {
    const object = definition({ preserveUnknownFields: true, versions });
    nonStructuralStep(object, () => [], 0);
    assert.deepEqual(shown(object, 'NonStructuralSchema'), [
      'True',
      'Violations',
      '[spec.preserveUnknownFields: Invalid value: true: must be false, spec.versions[0].schema.openAPIV3Schema.type: Required value: must not be empty at the root]',
    ]);
    (object['spec'] as JsonObject)['preserveUnknownFields'] = false;
    nonStructuralStep(object, () => [], 0);
    assert.equal(shown(object, 'NonStructuralSchema'), undefined);
  });
});
