import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import { fieldErrorBody, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { systemContext } from '#shared/registry/system-context.ts';
import { applyDefaults } from '#shared/serializer/defaults.ts';
import { coreStrategies } from './built-in-definitions.ts';
import type { RecordedRequest } from './testdata/recorded-request.ts';
import { requests } from './testdata/requests.ts';
import { defaultDependencies } from './testing/default-dependencies.ts';

interface Answer {
  readonly code: number;
  readonly content?: JsonObject;
  readonly causes?: readonly { readonly field: string; readonly message: string }[];
}

const answers = JSON.parse(
  readFileSync(join(import.meta.dirname, 'testdata/recorded.json'), 'utf8'),
) as readonly Answer[];
const strategyOf = coreStrategies(defaultDependencies);

function prepared({ group, version, resource, body }: RecordedRequest): KubeObject {
  const strategy = strategyOf(group, resource);
  const object = asKubeObject(cloneJson(body));
  const schema = loadFacts().schema(group, version, String(body['kind']));
  assert.ok(schema);
  atOnce(applyDefaults(schema, object));
  strategy.applyDefaults?.(object);
  strategy.prepareForCreate?.(object, systemContext({ namespace: 'default' }));
  return object;
}

/** Without what printing adds: empty objects of fields that always are there. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, bare(item)] as const);
  return Object.fromEntries(
    entries.filter(([, item]) => item !== null && !(typeof item === 'object' && Object.keys(item).length === 0)),
  );
}

function errorsOf(strategy: Strategy, object: KubeObject): FieldError[] {
  const context = systemContext({ namespace: 'default' });
  return (
    strategy.validate?.(object, context) ??
    (strategy.validateInSteps === undefined ? [] : atOnce(strategy.validateInSteps(object, undefined, context)))
  );
}

describe('strategies of built-in resources', () => {
  for (const [index, request] of requests.entries()) {
    const answer = answers[index];
    const outcome = answer?.code === 422 ? 'the errors' : 'the defaults';
    test(`produce ${outcome} of the reference for recorded request ${index + 1} (${request.resource})`, () => {
      const object = prepared(request);
      const errors = errorsOf(strategyOf(request.group, request.resource), object);
      const seen = errors.map((error) => ({ field: error.field, message: fieldErrorBody(error) }));
      const order = (a: { field: string; message: string }, b: { field: string; message: string }) =>
        `${a.field} ${a.message}`.localeCompare(`${b.field} ${b.message}`);
      const wanted = (answer?.causes ?? []).map(({ field, message }) => ({ field, message }));
      assert.deepEqual(seen.toSorted(order), wanted.toSorted(order));
      if (answer?.content === undefined) return;
      const { metadata: _metadata, status: _status, ...content } = object;
      const { status: _recorded, ...expected } = answer.content;
      assert.deepEqual(bare(content), bare(expected));
    });
  }
});
