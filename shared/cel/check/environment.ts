import type { OverloadEntry } from '#shared/cel/contract/checked.ts';
import type { FunctionDeclaration, Overload } from '#shared/cel/contract/function-declaration.ts';
import type { Library, VariableDeclaration } from '#shared/cel/contract/library.ts';
import type { Validator } from '#shared/cel/contract/validator.ts';
import type { Macro } from '#shared/cel/syntax/macro.ts';
import { isLanguageWord } from '#shared/cel/syntax/reserved-names.ts';
import { macroTable } from '#shared/cel/syntax/syntax.ts';
import type { TypeProvider } from '#shared/cel/types/type-provider.ts';
import { intType, typeOfType, type CelType } from '#shared/cel/values/cel-type.ts';

/** A function of an environment, with its overloads from all libraries. */
export interface FunctionEntry {
  readonly name: string;
  readonly overloads: readonly OverloadEntry[];
  readonly patternArgument: number | undefined;
  readonly oneByOne: boolean;
  /** The implementation that all overloads share. */
  readonly implementation: FunctionDeclaration['implementation'];
  readonly steps: FunctionDeclaration['steps'];
  /** Used before the cost functions of the overloads. */
  readonly cost: FunctionDeclaration['cost'];
  readonly unknownCost: FunctionDeclaration['unknownCost'];
  readonly estimate: FunctionDeclaration['estimate'];
}

export interface EnvironmentOptions {
  /** All libraries, including the standard library, which is not added implicitly. */
  readonly libraries: readonly Library[];
  readonly variables?: readonly VariableDeclaration[];
  /** Providers of types with fields; the first that knows a type wins. */
  readonly providers?: readonly TypeProvider[];
  /** The namespace in which names are looked up first. */
  readonly container?: string;
  /** Whether literals of durations, timestamps and patterns are validated at compile time (Kubernetes 1.29). */
  readonly checkLiterals?: boolean;
  /** Whether fields with reserved names can also be written without escapes (Kubernetes 1.31). */
  readonly reservedFields?: boolean;
}

let environments = 0;

/** The functions, macros, variables and types that expressions are compiled against. Immutable. */
export class Environment {
  /** Identifies the environment in cache keys. */
  readonly id = ++environments;
  readonly container: string;
  readonly providers: readonly TypeProvider[];
  readonly checkLiterals: boolean;
  readonly reservedFields: boolean;
  readonly macros: ReadonlyMap<string, Macro>;
  /** Whether the syntax of optionals is accepted. */
  readonly optionals: boolean;
  readonly validators: readonly Validator[];
  private readonly functions: ReadonlyMap<string, FunctionEntry>;
  private readonly variables: ReadonlyMap<string, VariableDeclaration>;

  constructor(options: EnvironmentOptions, base?: Environment) {
    this.container = options.container ?? base?.container ?? '';
    this.providers = [...(base?.providers ?? []), ...(options.providers ?? [])];
    this.checkLiterals = options.checkLiterals ?? base?.checkLiterals ?? true;
    this.reservedFields = options.reservedFields ?? base?.reservedFields ?? true;
    this.optionals = (base?.optionals ?? false) || options.libraries.some(({ name }) => name === 'cel.lib.optional');
    const macros = macroTable(options.libraries.flatMap((library) => library.macros ?? []));
    this.validators = [
      ...(base?.validators ?? []),
      ...options.libraries.flatMap((library) => library.validators ?? []),
    ];
    this.macros = base === undefined ? macros : new Map([...base.macros, ...macros]);
    this.functions =
      options.libraries.length === 0 && base !== undefined
        ? base.functions
        : mergeFunctions(base?.functions, options.libraries);
    this.variables = mergeVariables(base?.variables, options);
  }

  /** A new environment with more declarations: those of a schema, or of one kind of expression. */
  extend(options: Partial<EnvironmentOptions>): Environment {
    return new Environment({ ...options, libraries: options.libraries ?? [] }, this);
  }

  /** The full names that a name may resolve to, in the order of look-up. */
  candidates(name: string): string[] {
    if (name.startsWith('.')) return [name.slice(1)];
    const names: string[] = [];
    for (
      let container = this.container;
      container !== '';
      container = container.slice(0, Math.max(0, container.lastIndexOf('.')))
    )
      names.push(`${container}.${name}`);
    names.push(name);
    return names;
  }

  /** The names of all functions. */
  functionNames(): string[] {
    return [...this.functions.keys()];
  }

  findFunction(name: string): FunctionEntry | undefined {
    if (this.container === '' && !name.startsWith('.')) return this.functions.get(name);
    for (const candidate of this.candidates(name)) {
      const found = this.functions.get(candidate);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** A variable, constant or type by its full name. */
  findVariable(name: string): VariableDeclaration | undefined {
    const declared = this.variables.get(name);
    if (declared !== undefined) return declared;
    for (const provider of this.providers) {
      const type = provider.findType(name);
      if (type !== undefined) return { name, type: typeOfType(type), value: type };
      const constant = provider.findConstant?.(name);
      if (constant !== undefined) return { name, type: intType, value: constant };
    }
    return undefined;
  }

  findType(name: string): CelType | undefined {
    for (const provider of this.providers) {
      const type = provider.findType(name);
      if (type !== undefined) return type;
    }
    return undefined;
  }

  findField(typeName: string, field: string): CelType | undefined {
    if (!this.reservedFields && isLanguageWord(field)) return undefined;
    for (const provider of this.providers) {
      const type = provider.findField(typeName, field);
      if (type !== undefined) return type;
    }
    return undefined;
  }
}

function mergeFunctions(
  base: ReadonlyMap<string, FunctionEntry> | undefined,
  libraries: readonly Library[],
): ReadonlyMap<string, FunctionEntry> {
  const functions = new Map(base);
  for (const library of libraries) {
    for (const declared of library.functions ?? []) {
      const before = functions.get(declared.name);
      const overloads = new Map(before?.overloads.map((entry) => [entry.overload.id, entry]));
      for (const overload of declared.overloads) overloads.set(overload.id, entryOf(overload));
      functions.set(declared.name, {
        name: declared.name,
        overloads: [...overloads.values()],
        oneByOne: declared.oneByOne ?? before?.oneByOne ?? false,
        patternArgument: declared.patternArgument ?? before?.patternArgument,
        implementation: declared.implementation ?? before?.implementation,
        steps: declared.steps ?? before?.steps,
        cost: declared.cost ?? before?.cost,
        unknownCost: declared.unknownCost ?? before?.unknownCost,
        estimate: declared.estimate ?? before?.estimate,
      });
    }
  }
  return functions;
}

function entryOf(overload: Overload): OverloadEntry {
  const parameters = new Set<string>();
  for (const type of [overload.result, ...overload.parameters]) collectParameters(type, parameters);
  return {
    overload,
    parameters: [...parameters],
  };
}

function collectParameters(type: CelType, into: Set<string>): void {
  if (type.kind === 'parameter') into.add(type.name);
  for (const parameter of type.parameters) collectParameters(parameter, into);
}

function mergeVariables(
  base: ReadonlyMap<string, VariableDeclaration> | undefined,
  options: EnvironmentOptions,
): ReadonlyMap<string, VariableDeclaration> {
  const variables = new Map(base);
  for (const library of options.libraries) {
    for (const type of library.types ?? [])
      variables.set(type.name, { name: type.name, type: typeOfType(type), value: type });
    for (const variable of library.variables ?? []) variables.set(variable.name, variable);
  }
  for (const variable of options.variables ?? []) variables.set(variable.name, variable);
  return variables;
}
