import { FieldPathError, followFieldPath } from '#servers/extensions/schema/field-path.ts';
import type { Rule } from '#servers/extensions/schema/rule.ts';
import type { SchemaNode } from '#servers/extensions/schema/schema-node.ts';
import { ownRelease, type Release } from '#shared/apimachinery/release-version.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { trimSpace } from '#shared/apimachinery/text/trim-space.ts';
import { childrenOf } from '#shared/cel/check/children.ts';
import type { Environment } from '#shared/cel/check/environment.ts';
import { checkText, CompileIssues, programOf } from '#shared/cel/compile.ts';
import { exactly, type SizeEstimator } from '#shared/cel/contract/estimate.ts';
import { estimateCost } from '#shared/cel/cost/estimate-cost.ts';
import { baseEnvironments, type EnvironmentPair } from '#shared/cel/environment/base-environment.ts';
import type { Bindings } from '#shared/cel/eval/frame.ts';
import { Program, type Evaluated } from '#shared/cel/eval/program.ts';
import { maxElementsAt, type DeclaredType } from '#shared/cel/schema/declared-type.ts';
import { DeclaredTypes } from '#shared/cel/schema/declared-types.ts';
import type { Expression as CelExpression } from '#shared/cel/syntax/expression.ts';
import { boolType, optionalType, stringType, type CelType } from '#shared/cel/values/cel-type.ts';
import { partIsOver } from '#shared/cel/values/part-is-over.ts';

/** The parts of a definition that were accepted before the update. */
export interface KnownRules {
  /** Expressions of the stored definition; they may use functions that new expressions may not use yet. */
  readonly expressions: ReadonlySet<string>;
  readonly messageExpressions: ReadonlySet<string>;
  /** Whether the schema is unchanged, so that its costs were accepted before. */
  readonly sameSchema: boolean;
}

/** An expression that can be evaluated. */
export interface RuleExpression {
  /** Evaluates at once; returns undefined if that would take too long. The caller then evaluates in steps. */
  attempt(variables: Bindings): Evaluated | undefined;
  evaluate(variables: Bindings): Steps<Evaluated>;
}

export interface CompiledRule {
  readonly source: Rule;
  /** Absent if the rule is empty or does not compile. */
  readonly expression?: RuleExpression;
  /** The error of a rule that does not compile. */
  readonly error?: string;
  /** Whether the rule reads `oldSelf` (a transition rule). */
  readonly usesOldSelf: boolean;
  /** The estimated maximum cost of one evaluation. */
  readonly cost: number;
  /** The compiled messageExpression. */
  readonly message?: RuleExpression;
  readonly messageError?: string;
  readonly messageCost: number;
  /** The path, below the value, that an error of this rule names; empty for the value itself. */
  readonly fieldPath: string;
}

interface RuleCompileOptions {
  /** The cost limit of one evaluation. */
  readonly callCost: number;
  /**
   * Which expressions count as stored. Stored expressions may use every function that this server knows; new ones only
   * those of `compatibility`.
   */
  readonly known: 'all' | 'none' | Pick<KnownRules, 'expressions' | 'messageExpressions'>;
  /** Whether costs are estimated; if not, all costs are 0. */
  readonly estimates: boolean;
  /** The oldest release that new rules must work with (`--min-compatibility-version`). Default: this one. */
  readonly compatibility?: Release;
  /** Default: the environments of the release `compatibility`. */
  readonly environments?: EnvironmentPair;
}

/** Environments by release; they are immutable, so they are shared. */
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
 * Why an expression has no program. If the expression did not compile, `usesOldSelf` is false, whatever it reads.
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

  /** Compiles an expression; returns an error if it does not compile or if its result is not of the type `result`. */
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

/** The path in normal form; empty if it is invalid. */
function normalPath(text: string, schema: SchemaNode): string {
  try {
    return text === '' ? '' : (followFieldPath(text, schema).path?.toString() ?? '');
  } catch (error) {
    if (error instanceof FieldPathError) return '';
    throw error;
  }
}
