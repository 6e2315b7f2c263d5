import { printedRule } from '#servers/extensions/schema/printed-schema.ts';
import { hasRules, rulesKey, rulesOf } from '#servers/extensions/schema/rule.ts';
import type { SchemaNode } from '#servers/extensions/schema/schema-node.ts';
import type { RuleChecks } from '#servers/extensions/schema/validate-openapi.ts';
import {
  forbidden,
  internalError,
  invalid,
  VerbatimValue,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { getKey, isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Release } from '#shared/apimachinery/release-version.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { goJson } from '#shared/apimachinery/text/go-format.ts';
import { declaredTypeOf, maxOccurrences, type DeclaredType } from '#shared/cel/schema/declared-type.ts';
import { escapeName } from '#shared/cel/schema/names.ts';
import type { KnownRules } from './compile-rules.ts';
import { compileRules } from './compile-rules.ts';
import { maxCallCost } from './rule-budget.ts';

/** The cost limits of one rule, for all values that an object can hold, and of all rules of a schema together. */
const maxRuleCost = 10_000_000;
const maxSchemaCost = 100_000_000;
const maxShown = 4;
/** Stands for cel-go's largest uint64. */
const unboundedCost = 2 ** 64;

/** The estimated maximum cost of all rules of a schema, and the most expensive rules. */
export class RuleCosts {
  total = 0;
  readonly #most: { readonly path: Path; readonly cost: number }[] = [];

  add(path: Path, cost: number): void {
    this.total = Math.min(unboundedCost, this.total + cost);
    if (cost < maxSchemaCost / 100) return;
    this.#most.push({ path, cost });
    this.#most.sort((a, b) => b.cost - a.cost);
    if (this.#most.length > maxShown) this.#most.pop();
  }

  /** The errors if the rules of the whole schema exceed the cost limit. */
  errors(at: Path): FieldError[] {
    if (this.total <= maxSchemaCost) return [];
    const contributed = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    return [
      ...this.#most.map(({ path }) => forbidden(path, contributed)),
      forbidden(
        at,
        costText(
          'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema',
          this.total,
          maxSchemaCost,
        ),
      ),
    ];
  }
}

/** The state that all scopes of one schema share. */
interface WholeScope {
  readonly costs: RuleCosts;
  readonly known: KnownRules | undefined;
  /** New rules must be supported by this release. */
  readonly compatibility: Release;
}

type Step = { readonly property: string } | 'items' | 'additional';

/**
 * A schema in a definition whose validation rules are checked when the definition is written (apiextensions-apiserver,
 * cel_validation.go).
 */
export class RuleScope implements RuleChecks {
  readonly #schema: SchemaNode;
  readonly #parent: RuleScope | undefined;
  readonly #step: Step | undefined;
  readonly #whole: WholeScope;
  /** The most values of this schema that an object can hold; undefined if there is no bound. */
  readonly #cardinality: number | undefined;
  /** Whether this schema or one above it has rules, which can refer to values of this schema. */
  readonly #isInScope: boolean;
  #type: DeclaredType | undefined;

  private constructor(
    schema: SchemaNode,
    whole: WholeScope,
    cardinality: number | undefined,
    parent?: RuleScope,
    step?: Step,
  ) {
    this.#schema = schema;
    this.#whole = whole;
    this.#cardinality = cardinality;
    this.#parent = parent;
    this.#step = step;
    this.#isInScope = (parent !== undefined && parent.#isInScope) || hasRules(schema.raw);
  }

  static root(
    schema: SchemaNode,
    known: KnownRules | undefined,
    compatibility: Release,
  ): { readonly scope: RuleScope; readonly costs: RuleCosts } {
    const costs = new RuleCosts();
    return { costs, scope: new RuleScope(schema, { costs, known, compatibility }, 1) };
  }

  property(name: string): RuleScope | undefined {
    return this.#below(this.#schema.properties.get(name), { property: name });
  }

  items(): RuleScope | undefined {
    return this.#below(this.#schema.items, 'items');
  }

  additional(): RuleScope | undefined {
    return this.#below(this.#schema.additional, 'additional');
  }

  #below(schema: SchemaNode | undefined, step: Step): RuleScope | undefined {
    if (schema === undefined) return undefined;
    const factor = this.#cardinality === undefined ? undefined : mostValues(this.#schema);
    const cardinality =
      this.#cardinality === undefined || factor === undefined ? undefined : product(this.#cardinality, factor);
    return new RuleScope(schema, this.#whole, cardinality, this, step);
  }

  /**
   * The declared type. If the parent has rules in scope, it is taken from the parent's type, whose bounds may differ
   * from those of the schema itself.
   */
  get #declared(): DeclaredType | undefined {
    return (this.#type ??= this.#declare());
  }

  #declare(): DeclaredType | undefined {
    const parent = this.#parent;
    if (parent !== undefined && parent.#isInScope) {
      const above = parent.#declared;
      if (above === undefined) return undefined;
      const type = typeBelow(above, this.#step);
      if (type !== undefined) return type;
    }
    return declaredTypeOf(this.#schema, parent === undefined || this.#schema.embedded);
  }

  *check(at: Path, uncorrelated: Path | undefined): Steps<FieldError[]> {
    const path = at.child(rulesKey);
    const type = this.#declared;
    if (type === undefined)
      return [
        internalError(
          path,
          'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations',
        ),
      ];
    const errors: FieldError[] = [];
    const { known, costs, compatibility } = this.#whole;
    const rules = yield* compileRules(rulesOf(this.#schema.raw), this.#schema, type, {
      callCost: maxCallCost,
      known: known ?? 'none',
      estimates: true,
      compatibility,
    });
    for (const [index, rule] of rules.entries()) {
      const place = path.index(index);
      const cost = product(rule.cost, this.#cardinality ?? maxOccurrences(type));
      if (known?.sameSchema !== true && cost > maxRuleCost)
        errors.push(forbidden(place.child('rule'), costText('estimated rule cost', cost, maxRuleCost)));
      costs.add(place.child('rule'), cost);
      if (rule.error !== undefined) errors.push(invalid(place.child('rule'), this.#shown(index), rule.error));
      if (rule.messageError !== undefined)
        errors.push(invalid(place.child('messageExpression'), this.#shown(index), rule.messageError));
      else if (rule.message !== undefined) {
        if (known?.sameSchema !== true && rule.messageCost > maxRuleCost)
          errors.push(
            forbidden(
              place.child('messageExpression'),
              costText('estimated messageExpression cost', rule.messageCost, maxRuleCost),
            ),
          );
        costs.add(place.child('messageExpression'), rule.messageCost);
      }
      const optional = this.#rawRule(index)['optionalOldSelf'];
      if (rule.usesOldSelf) {
        if (uncorrelated !== undefined)
          errors.push(
            invalid(
              place.child('rule'),
              rule.source.rule,
              `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated.toString()}`,
            ),
          );
      } else if (typeof optional === 'boolean')
        errors.push(invalid(place.child('optionalOldSelf'), optional, 'may not be set if oldSelf is not used in rule'));
      if (sliceIsOver()) yield;
    }
    return errors;
  }

  #rawRule(index: number): JsonObject {
    const list = getKey(this.#schema.raw, rulesKey);
    const rule = Array.isArray(list) ? list[index] : undefined;
    return isObject(rule) ? rule : {};
  }

  #shown(index: number): VerbatimValue {
    return new VerbatimValue(goJson(printedRule(this.#rawRule(index))));
  }
}

function typeBelow(type: DeclaredType, step: Step | undefined): DeclaredType | undefined {
  if (step === undefined || typeof step === 'string') return type.element;
  const escaped = escapeName(step.property);
  return escaped === undefined ? undefined : type.field?.(escaped);
}

/** The most child values that one value of a schema can hold; undefined if there is no bound. */
function mostValues(schema: SchemaNode): number | undefined {
  const limit =
    schema.type === 'array'
      ? schema.number('maxItems')
      : schema.type === 'object' && schema.hasAdditional
        ? schema.number('maxProperties')
        : 1;
  return limit === undefined ? undefined : Math.max(0, limit);
}

function product(cost: number, times: number): number {
  return Math.min(unboundedCost, cost * times);
}

function costText(name: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const text = factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${oneDecimal(factor)}x`;
  return `${name} exceeds budget by factor of ${text} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

/** One decimal; rounds half to even, as Go does. */
function oneDecimal(value: number): string {
  const tenths = value * 10;
  const below = Math.floor(tenths);
  return tenths - below === 0.5 ? ((below + (below % 2)) / 10).toFixed(1) : value.toFixed(1);
}
