import { hasRules, rulesOf } from '#servers/extensions/schema/rule.ts';
import type { SchemaNode } from '#servers/extensions/schema/schema-node.ts';
import { schemaAt, schemasAt } from '#servers/extensions/schema/schema-walk.ts';
import { childOf, Path } from '#shared/apimachinery/errors/field-error.ts';
import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { isSliced, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { budgetedCache } from '#shared/caches/budgeted-cache.ts';
import { processCaches } from '#shared/caches/cache-budget.ts';
import { bytesOfExpressions } from '#shared/cel/program-cache.ts';
import { declaredTypeOf, type DeclaredType } from '#shared/cel/schema/declared-type.ts';
import { escapeName } from '#shared/cel/schema/names.ts';
import { ValueShape } from '#shared/cel/schema/value-shape.ts';
import { compileRules, type CompiledRule } from './compile-rules.ts';
import { oldItemFinder, ratchetAtField, ratchetAtItem } from './correlation.ts';
import type { RuleSubject, SchemaWithRules } from './evaluate-rules.ts';
import { evaluateRules } from './evaluate-rules.ts';
import { maxCallCost, type RuleRun } from './rule-budget.ts';

/** Compiled rules. The least recently used ones are dropped, and compiled again when they are next needed. */
const compiled = budgetedCache<RuleValidator, readonly CompiledRule[]>('rules', bytesOfRules);

function bytesOfRules(rules: readonly CompiledRule[]): number {
  const bytes = bytesOfExpressions(
    rules.length + 1,
    rules.reduce((sum, { source }) => sum + source.rule.length + source.messageExpression.length, 0),
  );
  // The cache never keeps an entry larger than itself, so the size of an entry is capped at half the cache.
  return Math.min(bytes, processCaches.share('rules') / 2);
}

/** The options that all validators of one schema share. */
interface RuleSchema {
  /** The result of `schemasOfRules` for this schema or for a schema that contains it. */
  readonly leading: ReadonlySet<JsonObject>;
  /** The cost limit of one evaluation. */
  readonly callCost?: number;
}

/**
 * The validator of a schema; undefined if neither the schema nor one below it has rules. `isResource`: whether the
 * schema is that of the root of an object or of an embedded resource.
 */
export function ruleValidatorOf(schema: SchemaNode, isResource: boolean, whole: RuleSchema): RuleValidator | undefined {
  return whole.leading.has(schema.raw)
    ? new RuleValidator(schema, schema.raw, isResource, declaredTypeOf(schema, isResource), whole)
    : undefined;
}

/**
 * The rules of a schema and of all schemas below it, compiled when first needed
 * (apiextensions-apiserver/pkg/apiserver/schema/cel, validation.go).
 */
class RuleValidator implements SchemaWithRules {
  readonly schema: SchemaNode;
  readonly isResource: boolean;
  readonly #rules: JsonObject;
  readonly #type: DeclaredType | undefined;
  readonly #whole: RuleSchema;
  /** Set while the rules are compiled for one object; evaluations of other objects wait for this promise. */
  #compiling: Promise<void> | undefined;
  #shape: ValueShape | undefined;
  #below: Below | undefined;

  /** `rules` is the raw schema that contains the rules: `schema` itself, or one of its `allOf`. */
  constructor(
    schema: SchemaNode,
    rules: JsonObject,
    isResource: boolean,
    type: DeclaredType | undefined,
    whole: RuleSchema,
  ) {
    this.schema = schema;
    this.isResource = isResource;
    this.#rules = rules;
    this.#type = type;
    this.#whole = whole;
  }

  get hasType(): boolean {
    return this.#type !== undefined;
  }

  *rules(): Steps<readonly CompiledRule[]> {
    let rules = compiled.get(this);
    for (; rules === undefined && this.#compiling !== undefined && isSliced(); rules = compiled.get(this))
      yield this.#compiling;
    if (rules !== undefined) return rules;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#compiling = promise;
    try {
      rules = yield* compileRules(rulesOf(this.#rules), this.schema, this.#type, {
        callCost: this.#whole.callCost ?? maxCallCost,
        known: 'all',
        estimates: false,
      });
      compiled.set(this, rules);
      return rules;
    } finally {
      this.#compiling = undefined;
      resolve();
    }
  }

  get shape(): ValueShape {
    return (this.#shape ??= new ValueShape(this.schema, this.isResource || this.schema.embedded));
  }

  /** Evaluates all rules; errors are collected in `run`. */
  *run(subject: RuleSubject, run: RuleRun): Steps<void> {
    const { value, ratchet } = subject;
    if (value === null || run.isOver) return;
    if (hasRules(this.#rules)) yield* evaluateRules(this, subject, run);
    const { allOf, items } = (this.#below ??= this.#readBelow());
    for (const one of allOf) yield* one.run({ ...subject, ratchet: { here: undefined, above: ratchet.above } }, run);
    if (run.isOver) return;
    if (isObject(value)) yield* this.#runFields(value, subject, run);
    else if (Array.isArray(value) && items !== undefined) yield* this.#runItems(items, value, subject, run);
  }

  *#runItems(
    items: RuleValidator,
    list: readonly JsonValue[],
    { old, ratchet, path }: RuleSubject,
    run: RuleRun,
  ): Steps<void> {
    const oldItem = yield* oldItemFinder(this.schema, old);
    for (const [index, value] of list.entries()) {
      yield* items.run(
        {
          value,
          old: oldItem(value),
          ratchet: ratchetAtItem(ratchet, value),
          path: path?.index(index) ?? new Path(`[${index}]`),
        },
        run,
      );
      if (run.isOver) return;
      if (sliceIsOver()) yield;
    }
  }

  *#runFields(object: JsonObject, { old, ratchet, path }: RuleSubject, run: RuleRun): Steps<void> {
    const { additional, properties } = (this.#below ??= this.#readBelow());
    if (additional === undefined && properties.size === 0) return;
    const before = isObject(old) && correlatedMaps.has(this.schema.mapType) ? old : undefined;
    for (const name of Object.keys(object)) {
      const property = properties.get(name);
      if (additional === undefined && property === undefined) continue;
      const subject = {
        value: object[name] as JsonValue,
        old: getKey(before, name) ?? undefined,
        ratchet: ratchetAtField(ratchet, name),
      };
      if (additional !== undefined)
        yield* additional.run({ ...subject, path: path?.key(name) ?? new Path(`[${name}]`) }, run);
      if (property !== undefined) yield* property.run({ ...subject, path: childOf(path, name) }, run);
      if (run.isOver) return;
      if (sliceIsOver()) yield;
    }
  }

  #readBelow(): Below {
    const { schema } = this;
    const element = this.#type?.element;
    const properties = new Map<string, RuleValidator>();
    const declared = schemaAt(this.#rules, 'properties') ?? {};
    for (const name of Object.keys(declared)) {
      const rules = declared[name];
      const property = isObject(rules) && this.#whole.leading.has(rules) ? schema.properties.get(name) : undefined;
      if (!isObject(rules) || property === undefined) continue;
      const escaped = escapeName(name);
      // A property without a CEL type is skipped. If CEL cannot express its name, the type of its own schema is used.
      const type = escaped === undefined ? declaredTypeOf(property) : this.#type?.field?.(escaped);
      if (type !== undefined)
        properties.set(name, new RuleValidator(property, rules, property.embedded, type, this.#whole));
    }
    return {
      properties,
      items: this.#validatorOf(schema.items, schemaAt(this.#rules, 'items'), element),
      additional: this.#validatorOf(schema.additional, schemaAt(this.#rules, 'additionalProperties'), element),
      allOf: schemasAt(this.#rules, 'allOf').flatMap((rules) =>
        this.#whole.leading.has(rules)
          ? [new RuleValidator(schema, rules, this.isResource, this.#type, this.#whole)]
          : [],
      ),
    };
  }

  #validatorOf(
    schema: SchemaNode | undefined,
    rules: JsonObject | undefined,
    type: DeclaredType | undefined,
  ): RuleValidator | undefined {
    return schema !== undefined && rules !== undefined && this.#whole.leading.has(rules)
      ? new RuleValidator(schema, rules, schema.embedded, type, this.#whole)
      : undefined;
  }
}

export type { RuleValidator };

/** The validators of the schemas below a schema, as far as those have rules. */
interface Below {
  readonly properties: ReadonlyMap<string, RuleValidator>;
  readonly items: RuleValidator | undefined;
  readonly additional: RuleValidator | undefined;
  readonly allOf: readonly RuleValidator[];
}

/** Map types whose fields are correlated by name; empty is `granular`. */
const correlatedMaps: ReadonlySet<string> = new Set(['', 'granular', 'atomic']);
