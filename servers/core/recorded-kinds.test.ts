import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fieldErrorBody } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { requests } from './testdata/requests.ts';
import { prepared, validationErrors } from './testing/validated.ts';

interface Answer {
  readonly code: number;
  readonly content?: JsonObject;
  readonly causes?: readonly { readonly field: string; readonly message: string }[];
}

const answers = JSON.parse(
  readFileSync(join(import.meta.dirname, 'testdata/recorded.json'), 'utf8'),
) as readonly Answer[];
/** Without what printing adds: empty objects of fields that always are there. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, bare(item)] as const);
  return Object.fromEntries(
    entries.filter(([, item]) => item !== null && !(typeof item === 'object' && Object.keys(item).length === 0)),
  );
}

describe('strategies of built-in resources', () => {
  for (const [index, request] of requests.entries()) {
    const answer = answers[index];
    const outcome = answer?.code === 422 ? 'the errors' : 'the defaults';
    test(`produce ${outcome} of the reference for recorded request ${index + 1} (${request.resource})`, () => {
      const object = prepared(request);
      const errors = validationErrors(request, object);
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
