import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { listAt, objectAt, objectsAt, stringAt, valueAt } from '#shared/apimachinery/object.ts';
import type { Field, Schema, StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce, paced } from '#shared/apimachinery/slices/slices.ts';
import { recordedAnswers, recordedInputs } from '#shared/apimachinery/testing/recorded-values.ts';
import { applyJsonPatch, decodeJsonPatch } from './json-patch.ts';
import { applyMergePatch } from './merge-patch.ts';
import { applyStrategicMergePatch } from './strategic-merge.ts';

const TEXT: Schema = { kind: 'scalar', type: 'string' };
const TEXTS: Schema = { kind: 'list', items: TEXT };
const TEXT_MAP: Schema = { kind: 'map', values: TEXT };

function field(name: string, schema: Schema, patch: Partial<Field> = {}): Field {
  return {
    name,
    goName: name,
    number: 1,
    schema,
    inline: false,
    pointer: false,
    omitEmpty: true,
    omitZero: false,
    required: false,
    ...patch,
  };
}

function struct(goName: string, ...fields: readonly Field[]): StructSchema {
  return {
    kind: 'struct',
    name: goName,
    goName,
    fields,
    flat: fields,
    byName: new Map(fields.map((item) => [item.name, item])),
  };
}

function outcome(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
}

function keyed(name: string, key: string, items: Schema): Field {
  return field(name, { kind: 'list', items }, { patchStrategy: ['merge'], patchMergeKey: key });
}

/** The few types that the recorded patches touch. */
const meta = struct(
  'ObjectMeta',
  field('name', TEXT),
  field('labels', TEXT_MAP),
  field('finalizers', TEXTS, { patchStrategy: ['merge'] }),
  keyed('ownerReferences', 'uid', struct('OwnerReference', field('uid', TEXT))),
);
const container = struct(
  'Container',
  field('name', TEXT),
  field('image', TEXT),
  field('args', TEXTS),
  keyed('ports', 'containerPort', struct('ContainerPort')),
  keyed('env', 'name', struct('EnvVar')),
);
const emptyDir = struct('EmptyDirVolumeSource', field('medium', TEXT));
const volumes = field(
  'volumes',
  { kind: 'list', items: struct('Volume', field('name', TEXT), field('emptyDir', emptyDir, { pointer: true })) },
  { patchStrategy: ['merge', 'retainKeys'], patchMergeKey: 'name' },
);
const podSpec = struct(
  'PodSpec',
  keyed('containers', 'name', container),
  volumes,
  field('nodeSelector', TEXT_MAP),
  field('tolerations', { kind: 'list', items: struct('Toleration') }),
  field('securityContext', struct('PodSecurityContext')),
);
const strategy = field('strategy', struct('DeploymentStrategy', field('type', TEXT)), {
  patchStrategy: ['retainKeys'],
});
const KINDS: Readonly<Record<string, StructSchema>> = {
  Pod: struct('Pod', field('metadata', meta), field('spec', podSpec)),
  Service: struct(
    'Service',
    field('metadata', meta),
    field(
      'spec',
      struct(
        'ServiceSpec',
        keyed('ports', 'port', struct('ServicePort')),
        field('externalIPs', TEXTS),
        field('selector', TEXT_MAP),
      ),
    ),
  ),
  Deployment: struct('Deployment', field('metadata', meta), field('spec', struct('DeploymentSpec', strategy))),
  ConfigMap: struct('ConfigMap', field('metadata', meta), field('data', TEXT_MAP)),
};

function testRecordedPatches(
  unit: string,
  section: string,
  call: (document: JsonObject, patch: JsonValue, kind: string) => JsonValue,
  sameErrors: boolean,
): void {
  describe(unit, () => {
    objectsAt(recordedInputs, section).forEach((input, i) => {
      const wanted = objectAt(listAt(recordedAnswers, section)[i]) ?? {};
      const document = objectAt(input, 'doc') ?? {};
      const refuses = Object.hasOwn(wanted, 'error');
      test(`${refuses ? 'rejects' : 'applies'} "${stringAt(input, 'name')}" as the reference does`, () => {
        const before = JSON.stringify(document);
        const patch = valueAt(input, 'patch') ?? null;
        const patchBefore = JSON.stringify(patch);
        if (refuses) {
          const message = sameErrors ? { message: stringAt(wanted, 'error') } : Error;
          assert.throws(() => call(document, patch, stringAt(input, 'kind')), message);
        } else {
          assert.equal(sorted(call(document, patch, stringAt(input, 'kind'))), sorted(wanted['value'] ?? null));
        }
        assert.equal(JSON.stringify(document), before, 'the document is not changed');
        if (section !== 'strategic') assert.equal(JSON.stringify(patch), patchBefore, 'the patch is not changed');
      });
    });
  });
}

/** Text with sorted keys, own `__proto__` included. */
function sorted(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map((item) => sorted(item)).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${sorted(value[key] ?? null)}`)
    .join()}}`;
}

testRecordedPatches(
  'applyJsonPatch',
  'jsonPatches',
  (document, patch) => atOnce(applyJsonPatch(document, decodeJsonPatch(patch))).value,
  false,
);
testRecordedPatches(
  'applyMergePatch',
  'mergePatches',
  (document, patch) => atOnce(applyMergePatch(document, patch)),
  true,
);
testRecordedPatches(
  'applyStrategicMergePatch',
  'strategic',
  (document, patch, kind) => {
    const schema = KINDS[kind];
    assert.ok(schema !== undefined);
    // In slices it is the same; a patch is used up.
    const sliced = outcome(() =>
      atOnce(
        paced(
          applyStrategicMergePatch(schema, structuredClone(document), structuredClone(objectAt(patch) ?? {})),
          0,
          undefined,
        ),
      ),
    );
    assert.deepEqual(
      sliced,
      outcome(() =>
        atOnce(applyStrategicMergePatch(schema, structuredClone(document), structuredClone(objectAt(patch) ?? {}))),
      ),
    );
    return atOnce(applyStrategicMergePatch(schema, document, objectAt(patch) ?? {}));
  },
  true,
);
