import assert from 'node:assert/strict';
import { coreStrategies } from '#servers/core/built-in-definitions.ts';
import type { RecordedRequest } from '#servers/core/testdata/recorded-request.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { systemContext } from '#shared/registry/system-context.ts';
import { applyDefaults } from '#shared/serializer/defaults.ts';
import { defaultDependencies } from './default-dependencies.ts';

export const strategyOf: (group: string, resource: string) => Strategy = coreStrategies(defaultDependencies);
const context = systemContext({ namespace: 'default' });

/** The object of a request with its defaults. */
export function defaulted({ group, version, resource, body }: RecordedRequest): KubeObject {
  const strategy = strategyOf(group, resource);
  const object = asKubeObject(cloneJson(body));
  const schema = loadFacts().schema(group, version, String(body['kind']));
  assert.ok(schema);
  atOnce(applyDefaults(schema, object));
  strategy.applyDefaults?.(object);
  return object;
}

/** The object of a request as it is validated: with its defaults and prepared for creation. */
export function prepared(request: RecordedRequest): KubeObject {
  const object = defaulted(request);
  strategyOf(request.group, request.resource).prepareForCreate?.(object, context);
  return object;
}

/** The errors of the strategy for the creation of a prepared object. */
export function validationErrors({ group, resource }: RecordedRequest, object: KubeObject): FieldError[] {
  const strategy = strategyOf(group, resource);
  return (
    strategy.validate?.(object, context) ??
    (strategy.validateInSteps === undefined ? [] : atOnce(strategy.validateInSteps(object, undefined, context)))
  );
}
