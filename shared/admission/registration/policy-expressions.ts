import type { FieldError, Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { ConditionCompiler, ConditionVariables } from '#shared/cel/uses/admission.ts';
import { ExpressionError } from '#shared/cel/uses/compile-expression.ts';
import { expressionErrors } from '#shared/cel/uses/expression-errors.ts';
import { variableType } from '#shared/cel/uses/variable-type.ts';
import { boolType, listType, nullType, objectType, stringType, type CelType } from '#shared/cel/values/cel-type.ts';
import type { RuleCompilers } from './rule-compilers.ts';

const patchResults = {
  ApplyConfiguration: [objectType('Object')],
  JSONPatch: [listType(objectType('JSONPatch'))],
} as const;

interface JudgedText {
  readonly text: string;
  /** The expression as errors show it. */
  readonly shown: string;
  readonly field: Path;
}

/** Compiles the expressions of one policy; each sees the variables that were compiled before it. */
export class PolicyExpressions {
  /** Whether the policy has a `paramKind`. */
  readonly hasParams: boolean;
  readonly #compilers: RuleCompilers;
  readonly #variables: Map<string, CelType> | undefined;
  readonly #known: Readonly<Record<'validations' | 'messages' | 'annotations' | 'patches', ReadonlySet<string>>>;

  /** @param old the stored spec; expressions that it holds may use CEL features that new ones may not use yet */
  constructor(spec: JsonObject, old: JsonObject | undefined, compilers: RuleCompilers) {
    this.#compilers = compilers;
    this.hasParams = objectAt(spec, 'paramKind') !== undefined;
    this.#variables = objectsAt(spec, 'variables').length > 0 ? new Map() : undefined;
    const texts = (list: string, ...keys: readonly string[]): ReadonlySet<string> =>
      new Set(
        objectsAt(old, list).map((item) =>
          stringAt(keys.length > 1 ? objectAt(item, keys[0] ?? '') : item, keys.at(-1) ?? ''),
        ),
      );
    this.#known = {
      validations: texts('validations', 'expression'),
      messages: texts('validations', 'messageExpression'),
      annotations: texts('auditAnnotations', 'valueExpression'),
      patches: texts('mutations', 'applyConfiguration', 'expression'),
    };
  }

  /** Validates a variable. Later expressions may use it, whether it compiles or not. */
  *variable(name: string, text: string, field: Path): Steps<FieldError[]> {
    const compiled = yield* this.#compile(
      text,
      { params: this.hasParams, authorizer: true },
      'any',
      this.#known.validations.has(text),
    );
    this.#variables?.set(name, variableType(compiled));
    return compiled instanceof ExpressionError ? expressionErrors(field, text, compiled) : [];
  }

  validation(text: string, field: Path): Steps<FieldError[]> {
    return this.#judge(
      { text, shown: text, field },
      { params: this.hasParams, authorizer: true },
      [boolType],
      this.#known.validations.has(text),
    );
  }

  message(text: string, field: Path): Steps<FieldError[]> {
    return this.#judge(
      { text, shown: text, field },
      { params: this.hasParams },
      [stringType],
      this.#known.messages.has(text),
    );
  }

  auditAnnotation(text: string, field: Path): Steps<FieldError[]> {
    return this.#judge(
      { text: text.trim(), shown: text, field },
      { params: this.hasParams, authorizer: true },
      [stringType, nullType],
      this.#known.annotations.has(text),
    );
  }

  patch(text: string, type: 'ApplyConfiguration' | 'JSONPatch', field: Path): Steps<FieldError[]> {
    const trimmed = text.trim();
    return this.#judge(
      { text: trimmed, shown: trimmed, field },
      { params: this.hasParams, authorizer: true, patchTypes: true },
      patchResults[type],
      this.#known.patches.has(text),
    );
  }

  *#judge(
    { text, shown, field }: JudgedText,
    variables: ConditionVariables,
    returns: readonly CelType[],
    stored: boolean,
  ): Steps<FieldError[]> {
    const compiled = yield* this.#compile(text, variables, returns, stored);
    return compiled instanceof ExpressionError ? expressionErrors(field, shown, compiled) : [];
  }

  #compile(
    text: string,
    variables: ConditionVariables,
    returns: readonly CelType[] | 'any',
    stored: boolean,
  ): ReturnType<ConditionCompiler['compile']> {
    return this.#compilers.conditions().compile(text, variables, returns, stored, this.#variables);
  }
}
