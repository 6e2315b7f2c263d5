import { sliceIsOver, type Steps } from '../../../shared/apimachinery/slices.ts';
import { childrenOf } from '../../../shared/cel/check/children.ts';
import type { Environment } from '../../../shared/cel/check/environment.ts';
import { checkText, CompileIssues, programOf } from '../../../shared/cel/compile.ts';
import { estimateCost } from '../../../shared/cel/cost/estimate-cost.ts';
import { exactly, type SizeEstimator } from '../../../shared/cel/contract/estimate.ts';
import { baseEnvironments, type EnvironmentPair } from '../../../shared/cel/environment/base-environment.ts';
import { Program, type Evaluated } from '../../../shared/cel/eval/program.ts';
import { partIsOver } from '../../../shared/cel/values/part-is-over.ts';
import { maxElementsAt, type DeclaredType } from '../../../shared/cel/schema/declared-type.ts';
import { DeclaredTypes } from '../../../shared/cel/schema/declared-types.ts';
import type { Expression as CelExpression } from '../../../shared/cel/syntax/expression.ts';
import { boolType, optionalType, stringType, type CelType } from '../../../shared/cel/values/cel-type.ts';
import type { Bindings } from '../../../shared/cel/eval/frame.ts';
import { FieldPathError, followFieldPath } from '../schema/field-path.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import type { KnownRules } from './definition-rules.ts';
import { trimSpace, type Rule } from '../schema/rule.ts';
import { ownRelease, type Release } from '../../../shared/apimachinery/release-version.ts';

/** An expression that can be evaluated. */
export interface RuleExpression {
  /** Evaluates at once; returns undefined if that would take too long, and the caller evaluates in steps. */
  attempt(variables: Bindings): Evaluated | undefined;
  evaluate(variables: Bindings): Steps<Evaluated>;
}

export interface CompiledRule {
  readonly source: Rule;
  /** Absent if the rule is empty or does not compile. */
  readonly expression?: RuleExpression;
  /** What is wrong with the rule. */
  readonly error?: string;
  /** Whether the rule reads `oldSelf` (a transition rule). */
  readonly usesOldSelf: boolean;
  /** What one evaluation costs at most. */
  readonly cost: number;
  /** The compiled messageExpression. */
  readonly message?: RuleExpression;
  readonly messageError?: string;
  readonly messageCost: number;
  /** The path of its error below the value; empty for the value itself. */
  readonly fieldPath: string;
}

interface RuleCompileOptions {
  /** What one evaluation may cost. */
  readonly callCost: number;
  /**
   * Stored expressions may use everything that this server knows; new ones only what every server of the cluster knows.
   */
  readonly known: 'all' | 'none' | Pick<KnownRules, 'expressions' | 'messageExpressions'>;
  /** Whether costs are estimated; else they are 0. */
  readonly estimates: boolean;
  /** The oldest release that new rules must work with (`--min-compatibility-version`). Default: this one. */
  readonly compatibility?: Release;
  /** Default: those of the releases. */
  readonly environments?: EnvironmentPair;
}

/** Kept by release: environments are immutable. */
const environments = new Map<Release, EnvironmentPair>();

function environmentsOf(release: Release): EnvironmentPair {
  let known = environments.get(release);
  if (known === undefined) environments.set(release, (known = baseEnvironments(Number(release.split('.')[1]))));
  return known;
}

/**
 * Compiles the rules of one schema (apiextensions-apiserver/pkg/apiserver/schema/cel, compilation.go). `type` is the
 * CEL type of its values.
 */
export function* compileRules(
  rules: readonly Rule[],
  schema: SchemaNode,
  type: DeclaredType | undefined,
  options: RuleCompileOptions,
): Steps<readonly CompiledRule[]> {
  if (type === undefined)
    return rules.map((source) => ({
      source,
      usesOldSelf: false,
      cost: 0,
      messageCost: 0,
      fieldPath: '',
      error: 'failed to convert to declType for CEL validation rules',
    }));
  const scope = new Scope(type, options);
  const compiled: CompiledRule[] = [];
  for (const rule of rules) {
    compiled.push(yield* compileRule(rule, schema, scope));
    if (sliceIsOver()) yield;
  }
  return compiled;
}

function* compileRule(source: Rule, schema: SchemaNode, scope: Scope): Steps<CompiledRule> {
  const nothing = { source, usesOldSelf: false, cost: 0, messageCost: 0, fieldPath: '' };
  if (trimSpace(source.rule) === '') return nothing;
  const rule = yield* scope.compile(source.rule, source.optionalOldSelf, 'expressions', boolType);
  if ('error' in rule) return { ...nothing, ...rule };
  const compiled = {
    ...nothing,
    expression: rule,
    usesOldSelf: rule.usesOldSelf,
    cost: rule.cost,
    fieldPath: normalPath(source.fieldPath, schema),
  };
  if (source.messageExpression === '') return compiled;
  const message = yield* scope.compile(
    source.messageExpression,
    source.optionalOldSelf,
    'messageExpressions',
    stringType,
  );
  return 'error' in message
    ? {
        ...compiled,
        fieldPath: '',
        messageError: `messageExpression ${message.error.replace(/^(?:cel expression|program) /, '')}`,
      }
    : { ...compiled, message, messageCost: message.cost };
}

/**
 * Why an expression has no program. `usesOldSelf` is known only if it compiled and just the program could not be made.
 */
interface Failed extends Pick<CompiledRule, 'usesOldSelf'> {
  readonly error: string;
}

/** The environments of one schema: `self` is its value. */
class Scope implements SizeEstimator {
  readonly #type: DeclaredType;
  readonly #options: RuleCompileOptions;
  readonly #environments = new Map<string, Environment>();
  #types: DeclaredTypes | undefined;

  constructor(type: DeclaredType, options: RuleCompileOptions) {
    this.#type = type;
    this.#options = options;
  }

  /** Compiles an expression whose result has a type; answers what is wrong with it where it has not. */
  *compile(
    text: string,
    optionalOld: boolean,
    kind: 'expressions' | 'messageExpressions',
    result: CelType,
  ): Steps<CompiledExpression | Failed> {
    const { known, estimates, callCost } = this.#options;
    const isKnown = known === 'all' || (known !== 'none' && known[kind].has(text));
    const environment = this.#environmentFor(isKnown, optionalOld);
    const checked = yield* checkText(environment, text);
    if (checked instanceof CompileIssues)
      return { error: `compilation failed: ${checked.toString()}`, usesOldSelf: false };
    if (checked.resultType !== result)
      return { error: `cel expression must evaluate to a ${result.name}`, usesOldSelf: false };
    const program = yield* programOf(environment, checked);
    const usesOldSelf = yield* namesOldSelf(checked.expression);
    if (!(program instanceof Program))
      return { error: `program instantiation failed: ${program.message}`, usesOldSelf };
    const cost = estimates ? (yield* estimateCost(checked, environment, this)).max : 0;
    return new CompiledExpression(program, callCost, cost, usesOldSelf);
  }

  estimateSize({ path }: { readonly path: readonly string[] }): ReturnType<SizeEstimator['estimateSize']> {
    const most = path.length === 0 ? undefined : maxElementsAt(this.#type, path);
    return most === undefined ? undefined : { min: exactly(0).min, max: most };
  }

  #environmentFor(isKnown: boolean, optionalOld: boolean): Environment {
    const key = `${isKnown} ${optionalOld}`;
    let environment = this.#environments.get(key);
    if (environment === undefined) {
      const environments = this.#options.environments ?? environmentsOf(this.#options.compatibility ?? ownRelease);
      const types = (this.#types ??= new DeclaredTypes(this.#type, 'selfType'));
      const oldType = optionalOld ? optionalType(types.root) : types.root;
      environment = (isKnown ? environments.forStored : environments.forNew).extend({
        variables: [
          { name: 'self', type: types.root },
          { name: 'oldSelf', type: oldType },
        ],
        providers: [types],
      });
      this.#environments.set(key, environment);
    }
    return environment;
  }
}

class CompiledExpression implements RuleExpression {
  readonly usesOldSelf: boolean;
  readonly cost: number;
  readonly #program: Program;
  readonly #callCost: number;

  constructor(program: Program, callCost: number, cost: number, usesOldSelf: boolean) {
    this.#program = program;
    this.#callCost = callCost;
    this.cost = cost;
    this.usesOldSelf = usesOldSelf;
  }

  attempt(variables: Bindings): Evaluated | undefined {
    return this.#program.attempt(variables, this.#callCost);
  }

  evaluate(variables: Bindings): Steps<Evaluated> {
    return this.#program.evaluateInSteps(variables, this.#callCost);
  }
}

function* namesOldSelf(expression: CelExpression): Steps<boolean> {
  const stack = [expression];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (partIsOver()) yield;
    if (next.kind === 'identifier' && next.name === 'oldSelf') return true;
    for (const child of childrenOf(next)) stack.push(child);
  }
  return false;
}

/** Empty where the path leads nowhere. */
function normalPath(text: string, schema: SchemaNode): string {
  try {
    return text === '' ? '' : (followFieldPath(text, schema).path?.toString() ?? '');
  } catch (error) {
    if (error instanceof FieldPathError) return '';
    throw error;
  }
}
