import { schemasOfRules } from '#servers/extensions/schema/rule.ts';
import type { SchemaNode } from '#servers/extensions/schema/schema-node.ts';
import type { DefaultRules } from '#servers/extensions/schema/validate-defaults.ts';
import type { FieldError, Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { noRatchet } from './correlation.ts';
import { maxObjectCost, RuleRun } from './rule-budget.ts';
import { ruleValidatorOf, type RuleValidator } from './rule-validator.ts';

/** Checks the defaults of a schema against its rules; all defaults together share the cost budget of one object. */
export function defaultRules(schema: JsonObject): DefaultRules {
  return new Judge(schemasOfRules(schema));
}

class Judge implements DefaultRules {
  readonly #leading: ReadonlySet<JsonObject>;
  #left = maxObjectCost;

  constructor(leading: ReadonlySet<JsonObject>) {
    this.#leading = leading;
  }

  get isOver(): boolean {
    return this.#left < 0;
  }

  /**
   * Evaluates the rules twice, because rules may read the old value: first with the default as old and new value, then,
   * if there were no errors, without an old value.
   */
  *check(value: JsonValue, schema: SchemaNode, isResource: boolean, path: Path): Steps<FieldError[]> {
    const validator = ruleValidatorOf(schema, isResource, { leading: this.#leading });
    if (validator === undefined) return [];
    const unchanged = yield* this.#run(validator, value, value, path);
    const created = unchanged.errors.length === 0 ? yield* this.#run(validator, value, undefined, path) : unchanged;
    this.#left = Math.min(unchanged.left, created.left);
    return created.errors;
  }

  *#run(validator: RuleValidator, value: JsonValue, old: JsonValue | undefined, path: Path): Steps<RuleRun> {
    const run = new RuleRun(this.#left, () => undefined);
    yield* validator.run({ value, old, ratchet: noRatchet, path }, run);
    return run;
  }
}
