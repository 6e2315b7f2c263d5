import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { baseEnvironments } from '#shared/cel/environment/base-environment.ts';
import { quantityFrom } from '#shared/cel/libraries/quantity/quantity.ts';
import { semverFrom } from '#shared/cel/libraries/semver/semver.ts';
import { recorded, recordedTable, sorted, valueOf } from '#shared/cel/testing/recorded.ts';
import { formatType } from '#shared/cel/types/format-type.ts';
import {
  boolType,
  dynType,
  intType,
  listType,
  objectType,
  stringType,
  type CelType,
} from '#shared/cel/values/cel-type.ts';
import { EntryMap } from '#shared/cel/values/map.ts';
import { CelError, CelMap, type Value } from '#shared/cel/values/value.ts';
import { ConditionCompiler, type ConditionVariables } from './admission.ts';
import { MappingCompiler } from './authentication.ts';
import { AccessConditionCompiler } from './authorization.ts';
import { ExpressionError, type CompiledExpression } from './compile-expression.ts';
import { DeviceSelectorCompiler, type DeviceGates } from './devices.ts';

const base = baseEnvironments(35);

/** What a compile function was given and said. */
interface RecordedCompile extends ConditionVariables {
  readonly kind: string;
  readonly text: string;
  readonly returns: readonly string[];
  readonly stored: boolean;
  readonly variable: 'claims' | 'user';
  readonly type?: string;
  readonly error?: readonly [string, string];
  readonly uses?: Readonly<Record<'fieldSelector' | 'labelSelector', boolean>>;
  readonly cost: string;
  readonly estimate: boolean;
  readonly gates: DeviceGates;
}

/** What differs; undefined where the two say the same. */
function difference(line: RecordedCompile, got: CompiledExpression | ExpressionError): string | undefined {
  if (got instanceof ExpressionError) {
    if (line.error === undefined) return `refused: ${got.detail}`;
    return got.type === line.error[0] && got.detail === line.error[1]
      ? undefined
      : `${got.type} ${got.detail}, not ${line.error.join(' ')}`;
  }
  if (line.error !== undefined) return `accepted, not ${line.error[1]}`;
  return line.type === undefined || formatType(got.type) === line.type
    ? undefined
    : `${formatType(got.type)}, not ${line.type}`;
}

function compare(table: string, kind: string, compile: (line: RecordedCompile) => string | undefined): void {
  const lines = recordedTable<RecordedCompile>(table).lines.filter((line) => line.kind === kind);
  assert.ok(lines.length > 0);
  assert.deepEqual(
    lines.flatMap((line) => {
      const said = compile(line);
      return said === undefined ? [] : [`${line.text}: ${said}`];
    }),
    [],
  );
}

const types: ReadonlyMap<string, CelType> = new Map(
  [boolType, stringType, intType].map((type) => [formatType(type), type]),
);

/** What upstream's test has beside the base: a function of a release to come, which stored expressions have already. */
const withTest = new ConditionCompiler({
  ...base,
  forStored: base.forStored.extend({
    libraries: [
      { name: 'test', functions: [{ name: 'test', overloads: [{ id: 'test', parameters: [], result: boolType }] }] },
    ],
  }),
});

interface RecordedConditions {
  readonly kind: string;
  readonly texts: readonly string[];
  readonly variables: readonly (readonly [name: string, text: string])[];
}

/** Several tests have the same text with variables of other types: one of them says what is expected. */
function differenceWithVariables(line: RecordedCompile, compiler: ConditionCompiler): string | undefined {
  const conditions = recordedTable<RecordedConditions>('admission').lines.filter(
    ({ kind, texts }) => kind === 'conditions' && texts.includes(line.text),
  );
  const differences = conditions.map(({ variables }) => {
    const types = new Map(
      variables.map(([name, text]): [string, CelType] => {
        const compiled = atOnce(compiler.compile(text, line, 'any', line.stored));
        return [name, compiled instanceof ExpressionError ? dynType : compiled.type];
      }),
    );
    return difference(line, atOnce(compiler.compile(line.text, line, returnsOf(line), line.stored, types)));
  });
  return differences.includes(undefined) ? undefined : (differences[0] ?? 'no conditions with it');
}

function returnsOf({ returns }: RecordedCompile): readonly CelType[] | 'any' {
  if (returns.includes('any')) return 'any';
  return returns.map(
    (name) =>
      types.get(name) ?? (name.startsWith('list(') ? listType(objectType(name.slice(5, -1))) : objectType(name)),
  );
}

describe('ConditionCompiler', () => {
  test("compiles and rejects admission expressions as upstream's tests do", () => {
    const compiler = new ConditionCompiler(base);
    /** What some tests give: an older release, and a feature gate that is off. */
    const older = new ConditionCompiler(baseEnvironments(27));
    const withoutSelectors = new ConditionCompiler(baseEnvironments(35, () => false));
    compare('admission', 'compile-condition', (line) => {
      if (line.text.includes('test()'))
        return difference(line, atOnce(withTest.compile(line.text, line, returnsOf(line), line.stored)));
      if (line.text.includes('variables.')) return differenceWithVariables(line, compiler);
      const refuses = (name: string): boolean => line.error?.[1].includes(`undeclared reference to '${name}'`) === true;
      const chosen = refuses('isQuantity') ? older : refuses('fieldSelector') ? withoutSelectors : compiler;
      return difference(line, atOnce(chosen.compile(line.text, line, returnsOf(line), line.stored)));
    });
  });
});

describe('MappingCompiler', () => {
  test("compiles and rejects claim mappings and user rules as upstream's tests do", () => {
    const compiler = new MappingCompiler(base);
    compare('authentication', 'compile-mapping', (line) => {
      const returns = line.returns[0] === 'bool' ? 'bool' : 'any';
      return difference(
        line,
        line.variable === 'claims'
          ? compiler.compileClaims(line.text, returns)
          : compiler.compileUser(line.text, returns),
      );
    });
  });
});

describe('AccessConditionCompiler', () => {
  test("compiles match conditions as upstream's tests do, and reports which selectors they read", () => {
    const withSelectors = new AccessConditionCompiler(base, true);
    const without = new AccessConditionCompiler(base, false);
    compare('authorization', 'compile-authorization', (line) => {
      const isWithout = line.error?.[1].includes("undefined field '") === true && line.text.includes('Selector');
      const compiled = atOnce((isWithout ? without : withSelectors).compile(line.text));
      if (!(compiled instanceof ExpressionError) && line.uses !== undefined)
        assert.deepEqual(
          { fieldSelector: compiled.usesFieldSelector, labelSelector: compiled.usesLabelSelector },
          line.uses,
        );
      return difference(line, compiled);
    });
  });
});

describe('DeviceSelectorCompiler', () => {
  test("compiles device selectors as upstream's tests do, with the same static costs", () => {
    compare('devices', 'compile-device', (line) => {
      const compiled = atOnce(new DeviceSelectorCompiler(base, line.gates).compile(line.text, line.stored));
      const said = difference(line, compiled);
      if (said !== undefined || compiled instanceof ExpressionError || !line.estimate) return said;
      return compiled.maxCost === Number(line.cost) ? undefined : `may cost ${compiled.maxCost}, not ${line.cost}`;
    });
  });
});

/**
 * Domains without attributes are empty where they are read, and yet not in it (mapper in
 * k8s.io/dynamic-resource-allocation/cel/compile.go).
 */
class WithEmptyDomains extends CelMap {
  readonly #map: CelMap;

  constructor(map: CelMap) {
    super();
    this.#map = map;
  }

  get size(): number {
    return this.#map.size;
  }

  find(key: Value): Value {
    return this.#map.find(key) ?? EntryMap.of([]);
  }

  override has(key: Value): boolean | CelError {
    return this.#map.has(key);
  }

  keys(): Iterable<Value> {
    return this.#map.keys();
  }
}

function deviceOf(written: unknown): Value {
  const device = valueOf(written, (name, text) =>
    name === 'kubernetes.Quantity' ? quantityFrom(text) : semverFrom(text),
  ) as EntryMap;
  return EntryMap.of(
    [...device.keys()].map((key) => {
      const value = device.find(key) ?? null;
      return [key, value instanceof CelMap ? new WithEmptyDomains(value) : value] as const;
    }),
  );
}

describe('device selectors', () => {
  test("match devices as in upstream's tests, with the same costs and errors", () => {
    const compiler = new DeviceSelectorCompiler(base, { DRAConsumableCapacity: true, DRAListTypeAttributes: true });
    let runs = 0;
    const differences = recordedTable('devices').expressions.flatMap(({ text, runs: recordedRuns = [] }) =>
      recordedRuns.flatMap((run) => {
        const compiled = atOnce(compiler.compile(text, true));
        if (compiled instanceof ExpressionError) return [`${text}: ${compiled.detail}`];
        runs++;
        const { value, cost } = compiled.program.evaluate(
          new Map([['device', deviceOf(run.inputs?.['device'] ?? { map: [] })]]),
          Number(run.limit),
        );
        const got =
          value instanceof CelError ? { error: value.message, cost } : { value: sorted(recorded(value)), cost };
        const expected =
          run.error === undefined
            ? { value: sorted(run.value), cost: Number(run.cost) }
            : { error: run.error, cost: Number(run.cost) };
        return isDeepStrictEqual(got, expected)
          ? []
          : [`${text}: ${JSON.stringify(got)}, not ${JSON.stringify(expected)}`];
      }),
    );
    assert.ok(runs > 50);
    assert.deepEqual(differences, []);
  });
});
