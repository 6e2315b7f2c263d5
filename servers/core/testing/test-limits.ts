import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CoreInMemory } from '#servers/core/controllers/testing/core-in-memory.ts';
import { changed, withField, type LimitTable } from '#servers/core/testdata/limit-table.ts';
import type { RecordedRequest } from '#servers/core/testdata/recorded-request.ts';
import { fieldErrorBody } from '#shared/apimachinery/errors/field-error.ts';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import type { Int64 } from '#shared/apimachinery/values/int64.ts';
import { systemContext } from '#shared/registry/system-context.ts';
import { defaulted, prepared, strategyOf, validationErrors } from './validated.ts';

/** Tests the tables of a folder against the strategies of their resources. */
export function testLimits(tables: readonly LimitTable[]): void {
  for (const { valid, limits, updates = [], generations = [] } of tables) {
    describe(`${String(valid.body['kind'])} strategy`, () => {
      for (const [field, accepted, refused, ...errors] of limits) {
        test(`refuses ${shortened(errors[0] ?? field, 150)} and accepts ${shown(accepted)}`, () => {
          assert.deepEqual(errorTexts(withField(valid, field, accepted)), []);
          assert.deepEqual(errorTexts(withField(valid, field, refused)), errors);
        });
      }
      for (const [field, accepted, refused, ...errors] of updates) {
        test(`refuses in an update ${shortened(errors[0] ?? field, 150)}`, async () => {
          assert.deepEqual((await updated(valid, field, accepted)).errors, []);
          assert.deepEqual((await updated(valid, field, refused)).errors, errors);
        });
      }
      for (const [field, value, generation] of generations) {
        test(`sets generation ${generation} after an update of ${field} to ${shown(value)}`, async () => {
          assert.deepEqual(await updated(valid, field, value), { errors: [], generation });
        });
      }
    });
  }
}

/** What becomes of a stored object when a field of it is changed. */
async function updated(
  request: RecordedRequest,
  field: string,
  value: JsonValue,
): Promise<{ readonly errors: string[]; readonly generation?: Int64 | undefined }> {
  const { group, resource, namespaced } = request;
  const context = systemContext({ namespace: namespaced ? 'default' : '' });
  // The rights of the user and the allocation of addresses need other resources.
  const strategy = { ...strategyOf(group, resource) };
  delete strategy.authorizeUpdate;
  delete strategy.beginCreate;
  delete strategy.beginUpdate;
  const memory = new CoreInMemory([{ group, resource, strategy }]);
  try {
    const store = memory.core.store(group, resource);
    const object = defaulted(request);
    await store.create(object, context);
    const { entry } = await store.update(
      {
        name: object.metadata.name ?? '',
        subresource: '',
        transform: (existing) => asKubeObject(changed(existing as KubeObject, field, value)),
      },
      context,
    );
    return { errors: [], generation: store.parse(entry).metadata.generation };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const causes = error.status.details?.causes ?? [];
    return { errors: [...new Set(causes.map((cause) => `${cause.field}: ${cause.message}`))].toSorted() };
  } finally {
    memory.close();
  }
}

function errorTexts(request: RecordedRequest): string[] {
  const errors = validationErrors(request, prepared(request));
  return [...new Set(errors.map((error) => `${error.field}: ${fieldErrorBody(error)}`))].toSorted();
}

function shown(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length <= 60 ? text : 'the value below the limit';
}

function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}
