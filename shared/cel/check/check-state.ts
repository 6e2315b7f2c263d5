import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { OverloadEntry } from '#shared/cel/contract/checked.ts';
import type { VariableDeclaration } from '#shared/cel/contract/library.ts';
import type { Comprehension, Expression } from '#shared/cel/syntax/expression.ts';
import type { Issue } from '#shared/cel/syntax/issue.ts';
import { formatType } from '#shared/cel/types/format-type.ts';
import { isSameType } from '#shared/cel/types/same-type.ts';
import { dynType, errorType, intType, optionalType, type CelType } from '#shared/cel/values/cel-type.ts';
import { partIsOver } from '#shared/cel/values/part-is-over.ts';
import type { Value } from '#shared/cel/values/value.ts';
import type { Environment } from './environment.ts';
import { withoutOptional } from './names-and-types.ts';
import { isDyn, isEqualOrLessSpecific, Substitutions } from './substitutions.ts';

/** The state of a type check: the types found so far, the variables in scope, and the issues. */
export class CheckState {
  readonly issues: Issue[] = [];
  readonly overloads = new Map<number, readonly OverloadEntry[]>();
  readonly constants = new Map<number, Value>();
  protected readonly types: (CelType | undefined)[] = [];
  protected readonly environment: Environment;
  protected readonly offsets: readonly number[];
  protected readonly known = new Substitutions();
  /** The variables of the enclosing comprehensions, the innermost scope last. */
  protected readonly scopes: Map<string, CelType>[] = [];

  constructor(environment: Environment, offsets: readonly number[]) {
    this.environment = environment;
    this.offsets = offsets;
  }

  *finalTypes(): Steps<(CelType | undefined)[]> {
    for (const [id, type] of this.types.entries()) {
      if (type !== undefined) this.types[id] = this.known.apply(type, true);
      if (partIsOver()) yield;
    }
    return this.types;
  }

  protected report(id: number, message: string): void {
    this.issues.push({ offset: this.offsets[id] ?? -1, message });
  }

  protected undeclared(id: number, name: string): void {
    this.report(id, `undeclared reference to '${name}' (in container '${this.environment.container}')`);
  }

  protected mismatch(id: number, expected: CelType, actual: CelType): void {
    this.report(id, `expected type '${formatType(expected)}' but found '${formatType(actual)}'`);
  }

  protected typeOf(expression: Expression): CelType {
    return this.types[expression.id] ?? errorType;
  }

  protected typed<E extends Expression>(expression: E, type: CelType): E {
    const before = this.types[expression.id];
    if (before !== undefined && !isSameType(before, type)) {
      this.report(
        expression.id,
        `incompatible type already exists for expression: ${expression.kind}(${expression.id}) old:${before.toString()}, new:${type.toString()}`,
      );
    } else {
      this.types[expression.id] = type;
    }
    return expression;
  }

  protected find(name: string): VariableDeclaration | undefined {
    for (const candidate of this.environment.candidates(name)) {
      for (let scope = this.scopes.length - 1; scope >= 0; scope--) {
        const type = this.scopes[scope]?.get(candidate);
        if (type !== undefined) return { name: candidate, type };
      }
      const found = this.environment.findVariable(candidate);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  protected identifier(id: number, { name, type, value }: VariableDeclaration): Expression {
    if (value !== undefined) this.constants.set(id, value);
    return this.typed({ kind: 'identifier', id, name }, type);
  }

  protected fieldType(id: number, operand: Expression, field: string, optional: boolean): CelType {
    const operandType = this.known.apply(this.typeOf(operand), false);
    const [target, isOptional] = withoutOptional(operandType);
    let result: CelType = dynType;
    switch (target.kind) {
      case 'map':
        result = target.parameters[1] ?? dynType;
        break;
      case 'struct':
        result = this.declaredField(id, target.name, field) ?? errorType;
        break;
      case 'parameter':
        this.known.isAssignable(dynType, target);
        break;
      default:
        if (!isDyn(target) && target.kind !== 'error')
          this.report(id, `type '${formatType(target)}' does not support field selection`);
    }
    return isOptional || optional ? optionalType(result) : result;
  }

  protected declaredField(id: number, typeName: string, field: string): CelType | undefined {
    if (this.environment.findType(typeName) === undefined) {
      this.report(id, `unexpected failed resolution of '${typeName}'`);
      return undefined;
    }
    const type = this.environment.findField(typeName, field);
    if (type === undefined) this.report(id, `undefined field '${field}'`);
    return type;
  }

  /** The type of the value inside an optional element or entry. */
  protected unwrapped(expression: Expression): CelType {
    const [type, isOptional] = withoutOptional(this.typeOf(expression));
    if (!isOptional && !isDyn(type)) this.mismatch(expression.id, optionalType(type), type);
    return type;
  }

  protected iterationVariables(expression: Comprehension, range: CelType): Map<string, CelType> {
    const two = expression.variable2 !== '';
    const [first = dynType, second = dynType] = range.parameters;
    let types: [CelType, CelType] = [dynType, dynType];
    switch (range.kind) {
      case 'list':
        types = two ? [intType, first] : [first, dynType];
        break;
      case 'map':
        types = [first, second];
        break;
      case 'dyn':
      case 'error':
      case 'parameter':
        this.known.isAssignable(dynType, range);
        break;
      default:
        this.report(
          expression.range.id,
          `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
        types = [errorType, errorType];
    }
    const variables = new Map([[expression.variable, types[0]]]);
    if (two) variables.set(expression.variable2, types[1]);
    return variables;
  }

  protected assert(expression: Expression, type: CelType): void {
    if (!this.known.isAssignable(type, this.typeOf(expression)))
      this.mismatch(expression.id, type, this.typeOf(expression));
  }

  /**
   * The common type of two elements; elements of different types make a list of dyn. If the environment validates
   * literals, such lists are refused later (literals.ts).
   */
  protected join(before: CelType | undefined, type: CelType): CelType {
    if (before === undefined) return type;
    if (!this.known.isAssignable(before, type)) return dynType;
    return isEqualOrLessSpecific(before, type) ? before : type;
  }
}
