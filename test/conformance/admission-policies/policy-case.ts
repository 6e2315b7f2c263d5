import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';

/** A request to objects with the label of the case; `@` in path and body stands for the name of the case. */
export interface CaseRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: JsonValue;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface BindingCase {
  readonly spec?: JsonObject;
}

/** Policies with their bindings, and requests that they judge. */
export interface PolicyCase {
  readonly name: string;
  readonly kind: 'Validating' | 'Mutating';
  /** Both servers refuse the policies themselves. */
  readonly isRefused?: boolean;
  /** Objects that must be there before the policies, as path and body. */
  readonly before?: readonly CaseRequest[];
  /** Specs without `matchConstraints` are for all writes of ConfigMaps with the label of the case. */
  readonly policies: readonly JsonObject[];
  /** By policy; one without parameters is the default. */
  readonly bindings?: readonly (readonly BindingCase[])[];
  readonly requests: readonly CaseRequest[];
}

const configMaps = '/api/v1/namespaces/policies/configmaps';

export function configMap(data: JsonObject = { a: 'x' }, name = '@'): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { case: '@' } }, data };
}

export function createMap(data?: JsonObject, query = '', name = '@'): CaseRequest {
  return { method: 'POST', path: `${configMaps}${query}`, body: configMap(data, name) };
}

export function updateMap(data: JsonObject): CaseRequest {
  return { method: 'PUT', path: `${configMaps}/@`, body: configMap(data) };
}

export function applyMap(data: JsonObject): CaseRequest {
  return {
    method: 'PATCH',
    path: `${configMaps}/@?fieldManager=m&force=true`,
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: configMap(data),
  };
}

export function deleteMap(): CaseRequest {
  return { method: 'DELETE', path: `${configMaps}/@` };
}

/** Puts the name of the case into a value. */
export function named<T extends JsonValue>(value: T, name: string): T {
  return JSON.parse(JSON.stringify(value).replaceAll('@', name)) as T;
}
