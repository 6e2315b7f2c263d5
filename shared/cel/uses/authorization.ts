import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { childrenOf } from '#shared/cel/check/children.ts';
import type { Environment } from '#shared/cel/check/environment.ts';
import type { EnvironmentPair } from '#shared/cel/environment/base-environment.ts';
import type { Expression } from '#shared/cel/syntax/expression.ts';
import { listType, mapType, objectType, stringType, type CelType } from '#shared/cel/values/cel-type.ts';
import { compileExpression, ExpressionError, type CompiledExpression } from './compile-expression.ts';
import { ObjectTypes, type ObjectType } from './object-types.ts';

const strings = listType(stringType);
const requirements = listType(objectType('kubernetes.SelectorRequirement'));
const selectorFields: Readonly<Record<string, CelType>> = {
  fieldSelector: objectType('kubernetes.FieldSelectorAttributes'),
  labelSelector: objectType('kubernetes.LabelSelectorAttributes'),
};

/** The types of `request` in a match condition (k8s.io/apiserver/pkg/authorization/cel, compile.go). */
function requestTypes(selectors: boolean): readonly ObjectType[] {
  const attributes = {
    namespace: stringType,
    verb: stringType,
    group: stringType,
    version: stringType,
    resource: stringType,
    subresource: stringType,
    name: stringType,
  };
  return [
    {
      name: 'kubernetes.SubjectAccessReviewSpec',
      fields: {
        resourceAttributes: objectType('kubernetes.ResourceAttributes'),
        nonResourceAttributes: objectType('kubernetes.NonResourceAttributes'),
        user: stringType,
        groups: strings,
        extra: mapType(stringType, strings),
        uid: stringType,
      },
    },
    { name: 'kubernetes.ResourceAttributes', fields: selectors ? { ...attributes, ...selectorFields } : attributes },
    { name: 'kubernetes.NonResourceAttributes', fields: { path: stringType, verb: stringType } },
    { name: 'kubernetes.FieldSelectorAttributes', fields: { rawSelector: stringType, requirements } },
    { name: 'kubernetes.LabelSelectorAttributes', fields: { rawSelector: stringType, requirements } },
    { name: 'kubernetes.SelectorRequirement', fields: { key: stringType, operator: stringType, values: strings } },
  ];
}

export interface CompiledAccessCondition extends CompiledExpression {
  /** Whether the expression reads the request's selectors, which are costly to build. */
  readonly usesFieldSelector: boolean;
  readonly usesLabelSelector: boolean;
}

/**
 * Compiles the match conditions of webhook authorizers. They come from a file on this server, so they may use every
 * function that the server knows.
 */
export class AccessConditionCompiler {
  readonly #environment: Environment;

  /** @param selectors whether the feature gate AuthorizeWithSelectors is on */
  constructor({ forStored }: EnvironmentPair, selectors: boolean) {
    this.#environment = forStored.extend({
      variables: [{ name: 'request', type: objectType('kubernetes.SubjectAccessReviewSpec') }],
      providers: [new ObjectTypes(requestTypes(selectors))],
    });
  }

  *compile(text: string): Steps<CompiledAccessCondition | ExpressionError> {
    const compiled = yield* compileExpression(this.#environment, text, (type) =>
      type.kind === 'bool' && !type.nullable ? undefined : `must evaluate to bool but got ${String(type)}`,
    );
    if (compiled instanceof ExpressionError) return compiled;
    const names = selectedFields(compiled.program.checked.expression);
    return {
      ...compiled,
      usesFieldSelector: names.has('fieldSelector'),
      usesLabelSelector: names.has('labelSelector'),
    };
  }
}

/** The names of all fields that an expression selects, whatever the operand. */
function selectedFields(root: Expression): ReadonlySet<string> {
  const names = new Set<string>();
  const pending = [root];
  for (let expression = pending.pop(); expression !== undefined; expression = pending.pop()) {
    if (expression.kind === 'select') names.add(expression.field);
    if (expression.kind === 'call' && expression.function === '_?._') {
      const [, field] = expression.args;
      if (field?.kind === 'literal' && typeof field.value === 'string') names.add(field.value);
    }
    pending.push(...childrenOf(expression));
  }
  return names;
}
