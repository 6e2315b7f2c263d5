import { getKey, isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { trimSpace } from '#shared/apimachinery/text/trim-space.ts';
import { schemasWith } from './schemas-with.ts';

export const rulesKey = 'x-kubernetes-validations';

/** One entry of a schema's `x-kubernetes-validations`, as written. */
export interface Rule {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  /** The reason of the error; undefined stands for FieldValueInvalid. */
  readonly reason: string | undefined;
  readonly fieldPath: string;
  readonly optionalOldSelf: boolean;
}

export function hasRules(schema: JsonObject): boolean {
  const list = getKey(schema, rulesKey);
  return Array.isArray(list) && list.length > 0;
}

/** The schemas that have rules, and the schemas that contain them. */
export function schemasOfRules(schema: JsonObject): ReadonlySet<JsonObject> {
  return schemasWith(schema, hasRules, { allOf: true });
}

/** The rules of a schema itself, without the rules of the schemas below it. */
export function rulesOf(schema: JsonObject): readonly Rule[] {
  const list = getKey(schema, rulesKey);
  return Array.isArray(list) ? list.map((item) => readRule(isObject(item) ? item : {})) : [];
}

function readRule(rule: JsonObject): Rule {
  const text = (key: string): string => {
    const value = getKey(rule, key);
    return typeof value === 'string' ? value : '';
  };
  const reason = getKey(rule, 'reason');
  return {
    rule: text('rule'),
    message: text('message'),
    messageExpression: text('messageExpression'),
    fieldPath: text('fieldPath'),
    reason: typeof reason === 'string' ? reason : undefined,
    optionalOldSelf: getKey(rule, 'optionalOldSelf') === true,
  };
}

/** The text by which errors name a rule. */
export function ruleText({ rule, message }: Rule): string {
  return trimSpace(message === '' ? rule : message);
}
