import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { processCaches } from '#shared/caches/cache-budget.ts';
import type { Environment } from '#shared/cel/check/environment.ts';
import type { EnvironmentPair } from '#shared/cel/environment/base-environment.ts';
import { authorizerType, resourceCheckType } from '#shared/cel/libraries/authorizer/access-checks.ts';
import { jsonPatchLibrary } from '#shared/cel/libraries/json-patch/json-patch.ts';
import { ProgramCache } from '#shared/cel/program-cache.ts';
import { isSameType } from '#shared/cel/types/same-type.ts';
import {
  boolType,
  dynType,
  intType,
  listType,
  mapType,
  objectType,
  stringType,
  timestampType,
  type CelType,
} from '#shared/cel/values/cel-type.ts';
import { compileExpression, type CompiledExpression, type ExpressionError } from './compile-expression.ts';
import { ObjectTypes, type ObjectType } from './object-types.ts';
import { PatchTypes } from './patch-types.ts';

const strings = listType(stringType);
const labels = mapType(stringType, stringType);
const kind = { group: stringType, version: stringType, kind: stringType };
const resource = { group: stringType, version: stringType, resource: stringType };

/**
 * The types of `request` and `namespaceObject`, with the fields that expressions see
 * (k8s.io/apiserver/pkg/admission/plugin/cel, compile.go).
 */
const types: readonly ObjectType[] = [
  { name: 'kubernetes.GroupVersionKind', fields: kind },
  { name: 'kubernetes.GroupVersionResource', fields: resource },
  {
    name: 'kubernetes.UserInfo',
    fields: { username: stringType, uid: stringType, groups: strings, extra: mapType(stringType, strings) },
  },
  {
    name: 'kubernetes.AdmissionRequest',
    fields: {
      kind: objectType('kubernetes.GroupVersionKind'),
      resource: objectType('kubernetes.GroupVersionResource'),
      subResource: stringType,
      requestKind: objectType('kubernetes.GroupVersionKind'),
      requestResource: objectType('kubernetes.GroupVersionResource'),
      requestSubResource: stringType,
      name: stringType,
      namespace: stringType,
      operation: stringType,
      userInfo: objectType('kubernetes.UserInfo'),
      dryRun: boolType,
      options: dynType,
    },
  },
  { name: 'kubernetes.NamespaceSpec', fields: { finalizers: strings } },
  {
    name: 'kubernetes.NamespaceCondition',
    fields: {
      status: stringType,
      type: stringType,
      lastTransitionTime: timestampType,
      message: stringType,
      reason: stringType,
    },
  },
  {
    name: 'kubernetes.NamespaceStatus',
    fields: { conditions: listType(objectType('kubernetes.NamespaceCondition')), phase: stringType },
  },
  {
    name: 'kubernetes.NamespaceMetadata',
    fields: {
      name: stringType,
      generateName: stringType,
      namespace: stringType,
      labels,
      annotations: labels,
      UID: stringType,
      creationTimestamp: timestampType,
      deletionGracePeriodSeconds: intType,
      deletionTimestamp: timestampType,
      generation: intType,
      resourceVersion: stringType,
      finalizers: strings,
    },
  },
  {
    name: 'kubernetes.Namespace',
    fields: {
      metadata: objectType('kubernetes.NamespaceMetadata'),
      spec: objectType('kubernetes.NamespaceSpec'),
      status: objectType('kubernetes.NamespaceStatus'),
    },
  },
];

/** The variables and types of an expression besides `object`, `oldObject`, `request` and `namespaceObject`. */
export interface ConditionVariables {
  readonly params?: boolean;
  readonly authorizer?: boolean;
  /** Types and functions that make patches. */
  readonly patchTypes?: boolean;
}

/** The types of the named expressions that are evaluated first and read as `variables.name`. */
export type NamedTypes = ReadonlyMap<string, CelType>;

/** The cache size of compiled conditions without named variables. Device selectors have the other half. */
const maxConditionBytes = processCaches.share('expressions') / 2;
const variablesTypeName = 'kubernetes.variables';

/**
 * Compiles the expressions of admission: match conditions of webhooks and policies, validations, messages, mutations.
 */
export class ConditionCompiler {
  readonly #base: EnvironmentPair;
  readonly #environments = new Map<string, Environment>();
  readonly #compiled = new ProgramCache<CompiledExpression | ExpressionError>(maxConditionBytes);
  readonly #named = new WeakMap<NamedTypes, Map<Environment, Environment>>();

  constructor(base: EnvironmentPair) {
    this.#base = base;
  }

  /**
   * @param returns the allowed result types, or `any`
   * @param stored whether the expression is already stored, so that it may use the functions of all releases
   * @param named the types of the fields of `variables`; without it the variable `variables` does not exist
   */
  compile(
    text: string,
    variables: ConditionVariables,
    returns: readonly CelType[] | 'any' = [boolType],
    stored = false,
    named?: NamedTypes,
  ): Steps<CompiledExpression | ExpressionError> {
    const environment = this.#environmentOf(variables, stored);
    const wrong = (type: CelType): string | undefined => wrongType(type, returns);
    if (named !== undefined) return compileExpression(this.#withNamed(environment, named), text, wrong);
    const key = returns === 'any' ? text : `${returns.join()} ${text}`;
    return this.#compiled.get(environment, key, () => compileExpression(environment, text, wrong));
  }

  /** The estimated memory of the cached conditions, in bytes. */
  get keptBytes(): number {
    return this.#compiled.bytes;
  }

  /** One environment for all expressions with the same `named` map, which may grow from one expression to the next. */
  #withNamed(base: Environment, named: NamedTypes): Environment {
    const known = this.#named.get(named) ?? new Map<Environment, Environment>();
    this.#named.set(named, known);
    let environment = known.get(base);
    if (environment === undefined) {
      environment = base.extend({
        variables: [{ name: 'variables', type: objectType(variablesTypeName) }],
        providers: [new ObjectTypes([{ name: variablesTypeName, fields: named }])],
      });
      known.set(base, environment);
    }
    return environment;
  }

  #environmentOf(
    { params = false, authorizer = false, patchTypes = false }: ConditionVariables,
    stored: boolean,
  ): Environment {
    const key = [params, authorizer, patchTypes, stored].join();
    let environment = this.#environments.get(key);
    if (environment === undefined) {
      environment = (stored ? this.#base.forStored : this.#base.forNew).extend({
        libraries: patchTypes ? [jsonPatchLibrary] : [],
        variables: [
          { name: 'object', type: dynType },
          { name: 'oldObject', type: dynType },
          { name: 'namespaceObject', type: objectType('kubernetes.Namespace') },
          { name: 'request', type: objectType('kubernetes.AdmissionRequest') },
          ...(params ? [{ name: 'params', type: dynType }] : []),
          ...(authorizer
            ? [
                { name: 'authorizer', type: authorizerType },
                { name: 'authorizer.requestResource', type: resourceCheckType },
              ]
            : []),
        ],
        providers: [new ObjectTypes(types), ...(patchTypes ? [new PatchTypes()] : [])],
      });
      this.#environments.set(key, environment);
    }
    return environment;
  }
}

function wrongType(type: CelType, returns: readonly CelType[] | 'any'): string | undefined {
  if (returns === 'any' || returns.some((good) => isSameType(good, type) && good.nullable === type.nullable))
    return undefined;
  return returns.length === 1
    ? `must evaluate to ${String(returns[0])} but got ${String(type)}`
    : `must evaluate to one of [${returns.join(' ')}] but got ${String(type)}`;
}
