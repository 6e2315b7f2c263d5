import { ruleText, type Rule } from '#servers/extensions/schema/rule.ts';
import type { SchemaNode } from '#servers/extensions/schema/schema-node.ts';
import {
  childOf,
  duplicate,
  forbidden,
  invalid,
  required,
  type BadValue,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { trimSpace } from '#shared/apimachinery/text/trim-space.ts';
import type { Bindings } from '#shared/cel/eval/frame.ts';
import type { Evaluated } from '#shared/cel/eval/program.ts';
import type { ValueShape } from '#shared/cel/schema/value-shape.ts';
import { CelDouble, CelError, CelOptional, type Value } from '#shared/cel/values/value.ts';
import type { CompiledRule, RuleExpression } from './compile-rules.ts';
import type { Ratchet } from './correlation.ts';
import { isRatcheted } from './correlation.ts';
import type { RuleRun } from './rule-budget.ts';

/** A place in a schema that has validation rules. */
export interface SchemaWithRules {
  readonly schema: SchemaNode;
  /** Whether the schema is that of the root of an object or of an embedded resource. */
  readonly isResource: boolean;
  readonly shape: ValueShape;
  /** Whether the schema has a CEL type, so that expressions can read its values. */
  readonly hasType: boolean;
  rules(): Steps<readonly CompiledRule[]>;
}

/** A value that rules are evaluated on. */
export interface RuleSubject {
  readonly value: JsonValue;
  /** The old value; undefined if there is none, or if it cannot be correlated. */
  readonly old: JsonValue | undefined;
  readonly ratchet: Ratchet;
  readonly path: Path | undefined;
}

const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';
const maxMessageBytes = 5 * 1024;

/** The values of the variables `self` and `oldSelf`; the rule chooses whether `oldSelf` is optional. */
class Variables implements Bindings {
  readonly #self: Value;
  readonly #oldSelf: Value | undefined;

  constructor(self: Value, oldSelf: Value | undefined) {
    this.#self = self;
    this.#oldSelf = oldSelf;
  }

  get(name: string): Value | undefined {
    return name === 'self' ? this.#self : name === 'oldSelf' ? this.#oldSelf : undefined;
  }
}

/** How many rules are evaluated between two checks of the clock; nearly all rules take a microsecond. */
const rulesBetween = 4;
/** The clock is checked after each rule that costs more, which may take milliseconds, like a search for a long text. */
const costlyRule = 100;

let ruled = 0;

/** Runs the rules of one schema on one value. */
export function* evaluateRules(target: SchemaWithRules, subject: RuleSubject, run: RuleRun): Steps<void> {
  const { shape, schema } = target;
  const { path, old } = subject;
  if (!target.hasType) {
    run.errors.push(
      invalid(
        path,
        schema.type,
        'rule compiler initialization error: failed to convert to declType for CEL validation rules',
      ),
    );
    return;
  }
  const rules = yield* target.rules();
  if (rules.length === 0) return;
  if (run.left <= 0) return run.endWith(invalid(path, schema.type, outOfBudget));
  const self = shape.read(subject.value);
  const oldSelf = old !== undefined && rules.some(({ usesOldSelf }) => usesOldSelf) ? shape.read(old) : undefined;
  const plain = new Variables(self, oldSelf);
  let optional: Variables | undefined;
  for (const rule of rules) {
    if (rule.error !== undefined) run.errors.push(invalid(path, schema.type, `rule compile error: ${rule.error}`));
    // A transition rule runs only if there is an old value, unless `optionalOldSelf` is set.
    else if (rule.expression === undefined || (rule.usesOldSelf && old === undefined && !rule.source.optionalOldSelf))
      continue;
    else {
      if (rule.source.optionalOldSelf)
        optional ??= new Variables(
          self,
          oldSelf === undefined ? CelOptional.none : new CelOptional(behindOptional(oldSelf)),
        );
      const variables = rule.source.optionalOldSelf ? (optional ?? plain) : plain;
      const outcome = rule.expression.attempt(variables) ?? (yield* rule.expression.evaluate(variables));
      if (outcome.cost > costlyRule) ruled |= rulesBetween - 1;
      if (outcome.value === true && outcome.cost <= run.left) run.spend(outcome.cost);
      // A messageExpression always sees the plain `oldSelf`, even if the rule sets `optionalOldSelf`.
      else yield* reportOutcome({ outcome, rule, variables: plain }, target, subject, run);
    }
    if (run.isOver) return;
    if ((++ruled & (rulesBetween - 1)) === 0 && sliceIsOver()) yield;
  }
}

/** cel-go converts the value of an optional variable to Go and back; an unreadable value's error cannot come back. */
function behindOptional(value: Value): Value {
  return value instanceof CelError
    ? new CelError(`unsupported conversion to ref.Val: (*errors.errorString)${value.message}`)
    : value;
}

interface RanRule {
  readonly outcome: Evaluated;
  readonly rule: CompiledRule;
  /** The variables that its messageExpression may use. */
  readonly variables: Variables;
}

/** Records the error, or the warning, of a rule that was violated or could not be evaluated. */
function* reportOutcome(
  { outcome: { value, cost }, rule, variables }: RanRule,
  { schema }: SchemaWithRules,
  subject: RuleSubject,
  run: RuleRun,
): Steps<void> {
  const { path } = subject;
  if (cost > run.left) return run.endWith(invalid(path, schema.type, outOfBudget));
  run.spend(cost);
  if (value instanceof CelError) {
    const { message } = value;
    if (message.startsWith('operation cancelled: actual cost limit exceeded')) {
      return run.endWith(
        invalid(
          path,
          schema.type,
          `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${ruleText(rule.source)}`,
        ),
      );
    }
    const explained = message.startsWith('no such overload')
      ? `'${message}': call arguments did not match a supported operator, function or macro signature for rule: `
      : `${message} evaluating rule: `;
    run.errors.push(invalid(path, schema.type, explained + ruleText(rule.source)));
    return;
  }
  const at = rule.fieldPath === '' ? path : childOf(path, rule.fieldPath);
  const evaluated =
    rule.message === undefined ? undefined : yield* evaluateMessage(rule.message, rule.source, variables, run);
  const tell = (error: FieldError): void => {
    if (!rule.usesOldSelf && isRatcheted(subject.ratchet)) run.warn(error);
    else run.errors.push(error);
  };
  if (evaluated !== undefined && 'error' in evaluated) {
    tell(invalid(at, schema.type, evaluated.error));
    run.end();
    return;
  }
  const shown = schema.type === 'object' || schema.type === 'array' ? undefined : numberOf(subject.value);
  tell(errorFor(rule.source.reason, at, shown, evaluated?.text ?? messageOf(rule.source)));
}

/**
 * Evaluates a messageExpression. Returns undefined if the result is no usable text; the default message is shown then.
 * An error that is returned ends the run.
 */
function* evaluateMessage(
  expression: RuleExpression,
  { messageExpression }: Rule,
  variables: Variables,
  run: RuleRun,
): Steps<{ readonly text: string } | { readonly error: string } | undefined> {
  const { value, cost } = yield* expression.evaluate(variables);
  if (cost > run.left)
    return {
      error:
        'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
    };
  if (value instanceof CelError && value.message.startsWith('operation cancelled: actual cost limit exceeded')) {
    return {
      error: `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${goQuote(messageExpression)}`,
    };
  }
  run.spend(cost);
  if (typeof value !== 'string') return undefined;
  const text = trimSpace(value);
  return text === '' || text.includes('\n') || Buffer.byteLength(text) > maxMessageBytes ? undefined : { text };
}

/** Unwraps a number that was written as a float, so that it is printed as a number. */
function numberOf(value: JsonValue): JsonValue {
  return value instanceof CelDouble ? value.value : value;
}

function messageOf(rule: Rule): string {
  return rule.message === '' ? `failed rule: ${ruleText(rule)}` : trimSpace(rule.message);
}

function errorFor(reason: string | undefined, at: Path | undefined, value: BadValue, detail: string): FieldError {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbidden(at, detail);
    case 'FieldValueRequired':
      return required(at, detail);
    case 'FieldValueDuplicate':
      return duplicate(at, value);
    default:
      return invalid(at, value, detail);
  }
}
