import { setKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt } from '#shared/apimachinery/object.ts';
import { ownRelease } from '#shared/apimachinery/release-version.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { baseEnvironments } from '#shared/cel/environment/base-environment.ts';
import { AccessConditionCompiler, type CompiledAccessCondition } from '#shared/cel/uses/authorization.ts';
import { ExpressionError } from '#shared/cel/uses/compile-expression.ts';
import { costOfCall } from '#shared/cel/uses/lazy-variables.ts';
import { jsonValue } from '#shared/cel/values/json-value.ts';
import { CelError } from '#shared/cel/values/value.ts';
import type { AskedAccess } from './asked-access.ts';
import type { ConditionFault } from './condition-fault.ts';

/** A webhook is asked if no condition is false, and none fails. */
export interface ConditionOutcome {
  /** Whether a condition is false, whatever others fail with. */
  readonly isExcluded: boolean;
  readonly errors: readonly string[];
}

/** Compiles the match conditions of webhooks, and keeps what it compiled by its text. */
export class AuthorizationConditions {
  readonly #compiler: AccessConditionCompiler;
  readonly #compiled = new Map<string, CompiledAccessCondition>();

  /** @param readsSelectors whether the gate AuthorizeWithSelectors is on */
  constructor(readsSelectors: boolean) {
    // The file is this server's own, so that the emulated release does not matter.
    this.#compiler = new AccessConditionCompiler(baseEnvironments(Number(ownRelease.split('.')[1])), readsSelectors);
  }

  *compile(text: string): Steps<ConditionFault | undefined> {
    const compiled = yield* this.#compiler.compile(text);
    if (compiled instanceof ExpressionError)
      return { isInternal: compiled.type === 'InternalError', detail: compiled.detail };
    this.#compiled.set(text, compiled);
    return undefined;
  }

  /** The conditions of a webhook, whose texts were compiled without a fault. */
  conditions(texts: readonly string[]): AccessConditions {
    return new AccessConditions(texts.flatMap((text) => this.#compiled.get(text) ?? []));
  }
}

/** The match conditions of one webhook (apiserver/pkg/authorization/cel). */
export class AccessConditions {
  readonly #conditions: readonly CompiledAccessCondition[];
  readonly #readsFields: boolean;
  readonly #readsLabels: boolean;

  constructor(conditions: readonly CompiledAccessCondition[]) {
    this.#conditions = conditions;
    this.#readsFields = conditions.some(({ usesFieldSelector }) => usesFieldSelector);
    this.#readsLabels = conditions.some(({ usesLabelSelector }) => usesLabelSelector);
  }

  /** Ends at the first condition that is false. */
  *match(question: AskedAccess): Steps<ConditionOutcome> {
    const bindings = new Map([['request', jsonValue(this.#request(question))]]);
    const errors: string[] = [];
    for (const { text, program } of this.#conditions) {
      const { value } = yield* program.evaluateInSteps(bindings, costOfCall);
      if (value === false) return { isExcluded: true, errors };
      if (value instanceof CelError)
        errors.push(`cel evaluation error: expression '${text}' resulted in error: ${value.message}`);
    }
    return { isExcluded: false, errors };
  }

  /** The variable `request`: here fields of attributes are there even if they are empty. */
  #request({ resourceAttributes, nonResourceAttributes, user }: AskedAccess): JsonObject {
    const extra: JsonObject = {};
    for (const [key, values] of Object.entries(user.extra)) setKey(extra, key, [...values]);
    return {
      user: user.name,
      groups: [...user.groups],
      uid: user.uid,
      extra,
      ...(resourceAttributes && { resourceAttributes: this.#resource(resourceAttributes) }),
      ...(nonResourceAttributes && { nonResourceAttributes: texts(nonResourceAttributes, ['verb', 'path']) }),
    };
  }

  #resource(attributes: JsonObject): JsonObject {
    const [fields, labels] = [objectAt(attributes, 'fieldSelector'), objectAt(attributes, 'labelSelector')];
    return {
      ...texts(attributes, ['namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name']),
      ...(this.#readsFields && fields !== undefined && { fieldSelector: fields }),
      ...(this.#readsLabels && labels !== undefined && { labelSelector: labels }),
    };
  }
}

function texts(attributes: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, stringAt(attributes, name)]));
}
