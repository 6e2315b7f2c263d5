import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { Checked, OverloadEntry } from '#shared/cel/contract/checked.ts';
import type { Parsed } from '#shared/cel/parse/parse.ts';
import type {
  Call,
  Comprehension,
  Expression,
  ListLiteral,
  MapEntry,
  MapLiteral,
  Select,
  StructField,
  StructLiteral,
} from '#shared/cel/syntax/expression.ts';
import type { Issue } from '#shared/cel/syntax/issue.ts';
import { formatCall, formatType } from '#shared/cel/types/format-type.ts';
import { isSameType } from '#shared/cel/types/same-type.ts';
import { boolType, dynType, errorType, listType, mapType, type CelType } from '#shared/cel/values/cel-type.ts';
import { partIsOver } from '#shared/cel/values/part-is-over.ts';
import { CheckState } from './check-state.ts';
import type { Environment, FunctionEntry } from './environment.ts';
import { messageTypeName } from './message-types.ts';
import { declaredName, literalType, qualifiedName } from './names-and-types.ts';
import { instantiate, isDyn } from './substitutions.ts';

/** Finds the type of each part of an expression, and resolves its names and calls. */
export function* check(
  parsed: Parsed,
  environment: Environment,
): Steps<Checked | { readonly issues: readonly Issue[] }> {
  const checker = new Checker(environment, parsed.offsets);
  const expression = yield* checker.check(parsed.expression);
  if (checker.issues.length > 0) return { issues: checker.issues };
  const types = yield* checker.finalTypes();
  return {
    expression,
    types,
    overloads: checker.overloads,
    constants: checker.constants,
    offsets: parsed.offsets,
    resultType: types[expression.id] ?? dynType,
  };
}

class Checker extends CheckState {
  *check(expression: Expression): Steps<Expression> {
    if (partIsOver()) yield;
    switch (expression.kind) {
      case 'literal':
        return this.typed(expression, literalType(expression.value));
      case 'identifier': {
        const found = this.find(expression.name);
        if (found !== undefined) return this.identifier(expression.id, found);
        this.undeclared(expression.id, expression.name);
        return this.typed(expression, errorType);
      }
      case 'select':
        return yield* this.#select(expression);
      case 'call':
        return yield* this.#call(expression);
      case 'list':
        return yield* this.#list(expression);
      case 'map':
        return yield* this.#map(expression);
      case 'struct':
        return yield* this.#struct(expression);
      case 'comprehension':
        return yield* this.#comprehension(expression);
    }
  }

  *#select(expression: Select): Steps<Expression> {
    const name = qualifiedName(expression);
    const found = name === undefined ? undefined : this.find(name);
    if (found !== undefined) return this.identifier(expression.id, found);
    const operand = yield* this.check(expression.operand);
    const type = this.fieldType(expression.id, operand, expression.field, false);
    return this.typed({ ...expression, operand }, this.known.apply(expression.testOnly ? boolType : type, false));
  }

  *#optionalSelect(expression: Call): Steps<Expression> {
    const [operand, field] = expression.args;
    if (
      operand === undefined ||
      field === undefined ||
      expression.args.length !== 2 ||
      expression.target !== undefined
    ) {
      this.report(
        expression.id,
        `unsupported optional field selection: incorrect signature.${expression.target === undefined ? '' : ' member call with'} argument count: ${expression.args.length}`,
      );
      return expression;
    }
    if (field.kind !== 'literal' || typeof field.value !== 'string') {
      this.report(field.id, 'unsupported optional field selection: the field is no string');
      return expression;
    }
    const checked = yield* this.check(operand);
    const type = this.known.apply(this.fieldType(expression.id, checked, field.value, true), false);
    return this.typed({ ...expression, args: [checked, field] }, type);
  }

  *#call(expression: Call): Steps<Expression> {
    if (expression.function === '_?._') return yield* this.#optionalSelect(expression);
    const args: Expression[] = [];
    for (const arg of expression.args) args.push(yield* this.check(arg));
    const { id, target } = expression;
    if (target === undefined) {
      const found = this.environment.findFunction(expression.function);
      if (found !== undefined) return this.#resolve({ ...expression, function: found.name, args }, found);
      this.undeclared(id, expression.function);
      return this.typed({ ...expression, args }, errorType);
    }
    const prefix = qualifiedName(target);
    const qualified =
      prefix === undefined ? undefined : this.environment.findFunction(`${prefix}.${expression.function}`);
    if (qualified !== undefined)
      return this.#resolve({ ...expression, function: qualified.name, target: undefined, args }, qualified);
    const checked = { ...expression, target: yield* this.check(target), args };
    const found = this.environment.findFunction(expression.function);
    if (found !== undefined) return this.#resolve(checked, found);
    this.typed(checked, errorType);
    this.undeclared(id, expression.function);
    return checked;
  }

  #resolve(call: Call, found: FunctionEntry): Expression {
    const args = call.target === undefined ? call.args : [call.target, ...call.args];
    const types = args.map((arg) => this.typeOf(arg));
    const candidates = found.overloads.filter(
      ({ overload }) => (overload.member === true) === (call.target !== undefined),
    );
    const [first] = candidates;
    if (first !== undefined && (found.name === '_&&_' || found.name === '_||_')) return this.#logic(call, first, types);
    const matching: OverloadEntry[] = [];
    let result: CelType | undefined;
    for (const entry of candidates) {
      const { overload } = entry;
      if (overload.parameters.length !== types.length) continue;
      let wanted = overload.parameters;
      let declared = overload.result;
      if (entry.parameters.length > 0) {
        const table = new Map(entry.parameters.map((name) => [name, this.known.newVariable()]));
        wanted = wanted.map((type) => instantiate(type, table));
        declared = instantiate(declared, table);
      }
      if (!this.known.areAssignable(types, wanted)) continue;
      matching.push(entry);
      const type = this.known.apply(declared, false);
      if (result === undefined) result = type;
      else if (!isDyn(result) && !isSameType(type, result)) result = dynType;
    }
    if (result === undefined) {
      const signature = formatCall(
        types.map((type) => this.known.apply(type, true)),
        call.target !== undefined,
      );
      this.report(call.id, `found no matching overload for '${found.name}' applied to '${signature}'`);
      return this.typed(call, errorType);
    }
    this.overloads.set(call.id, matching);
    return this.typed(call, result);
  }

  #logic(call: Call, overload: OverloadEntry, types: readonly CelType[]): Expression {
    let good = true;
    types.forEach((type, index) => {
      if (this.known.isAssignable(type, boolType)) return;
      good = false;
      this.mismatch(call.args[index]?.id ?? call.id, boolType, type);
    });
    if (good) this.overloads.set(call.id, [overload]);
    return this.typed(call, good ? boolType : errorType);
  }

  *#list(expression: ListLiteral): Steps<Expression> {
    let joined: CelType | undefined;
    const optional = new Set(expression.optional);
    const elements: Expression[] = [];
    for (const [index, element] of expression.elements.entries()) {
      const checked = yield* this.check(element);
      const type = optional.has(index) ? this.unwrapped(checked) : this.typeOf(checked);
      joined = this.join(joined, type);
      elements.push(checked);
    }
    return this.typed({ ...expression, elements }, listType(joined ?? this.known.newVariable()));
  }

  *#map(expression: MapLiteral): Steps<Expression> {
    let keys: CelType | undefined;
    let values: CelType | undefined;
    const entries: MapEntry[] = [];
    for (const entry of expression.entries) {
      const key = yield* this.check(entry.key);
      keys = this.join(keys, this.typeOf(key));
      const value = yield* this.check(entry.value);
      values = this.join(values, entry.optional ? this.unwrapped(value) : this.typeOf(value));
      entries.push({ ...entry, key, value });
    }
    const keyType = keys ?? this.known.newVariable();
    return this.typed({ ...expression, entries }, mapType(keyType, values ?? this.known.newVariable()));
  }

  *#struct(expression: StructLiteral): Steps<Expression> {
    const found = this.find(expression.name);
    if (found === undefined) {
      this.undeclared(expression.id, expression.name);
      return this.typed(expression, errorType);
    }
    let { name } = found;
    let result: CelType = errorType;
    if (found.type.kind !== 'type') {
      if (found.type.kind !== 'error') this.report(expression.id, `'${declaredName(found.type)}' is not a type`);
    } else {
      result = found.type.parameters[0] ?? errorType;
      const message = messageTypeName(result);
      if (message === undefined) this.report(expression.id, `'${declaredName(result)}' is not a message type`);
      name = message ?? name;
      if (message === undefined) result = errorType;
    }
    this.typed(expression, result);
    const fields: StructField[] = [];
    for (const field of expression.fields) {
      const value = yield* this.check(field.value);
      const declared = this.declaredField(field.id, name, field.name) ?? errorType;
      const type = field.optional ? this.unwrapped(value) : this.typeOf(value);
      if (!this.known.isAssignable(declared, type))
        this.report(
          field.id,
          `expected type of field '${field.name}' is '${formatType(declared)}' but provided type is '${formatType(type)}'`,
        );
      fields.push({ ...field, value });
    }
    return { ...expression, name: found.name, fields };
  }

  *#comprehension(expression: Comprehension): Steps<Expression> {
    const range = yield* this.check(expression.range);
    const init = yield* this.check(expression.init);
    const rangeType = this.known.apply(this.typeOf(range), false);
    const accumulated = this.typeOf(init);
    this.scopes.push(new Map([[expression.accumulator, accumulated]]));
    this.scopes.push(this.iterationVariables(expression, rangeType));
    const condition = yield* this.check(expression.condition);
    this.assert(condition, boolType);
    const step = yield* this.check(expression.step);
    this.assert(step, accumulated);
    this.scopes.pop();
    const result = yield* this.check(expression.result);
    this.scopes.pop();
    return this.typed(
      { ...expression, range, init, condition, step, result },
      this.known.apply(this.typeOf(result), false),
    );
  }
}
