import type { CallConversionWebhook } from '#servers/extensions/conversion/resource-conversion.ts';
import { readDefinition } from '#servers/extensions/crds/read-definition.ts';
import type { CompileSchema } from '#servers/extensions/custom-resource.ts';
import { CustomResources, type DefinitionSource } from '#servers/extensions/custom-resources.ts';
import type { DefinitionView } from '#servers/extensions/facts/definition-view.ts';
import type { CompiledSchema } from '#servers/extensions/schema/compiled-schema.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { Handler } from '#shared/request/request-context.ts';
import { InProcess } from '#test/integration/resources/in-process.ts';

const names = { plural: 'wids', singular: 'wid', kind: 'Wid', listKind: 'WidList', shortNames: ['wd'] };

/** A definition as the API holds it, established. */
export function definition(
  uid: string,
  versions: readonly JsonObject[],
  conditions: Record<string, string> = { Established: 'True' },
): JsonObject {
  return {
    metadata: { name: 'wids.example.com', uid },
    spec: { group: 'example.com', scope: 'Namespaced', names, versions: [...versions] },
    status: {
      acceptedNames: names,
      conditions: Object.entries(conditions).map(([type, status]) => ({ type, status })),
    },
  };
}

export function version(name: string, more: JsonObject = {}): JsonObject {
  return { name, served: true, storage: name === 'v1', schema: { openAPIV3Schema: { name } }, ...more };
}

/** Definitions that a test changes at will. */
export class TestDefinitions implements DefinitionSource {
  readonly #views = new Map<string, DefinitionView>();
  #listener: (name: string, view: DefinitionView | undefined) => void = () => undefined;
  #revision = 0;

  get(name: string): DefinitionView | undefined {
    return this.#views.get(name);
  }

  subscribe(listener: (name: string, view: DefinitionView | undefined) => void): void {
    this.#listener = listener;
  }

  async current(): Promise<void> {}

  put(object: JsonObject): void {
    const view = readDefinition(Buffer.from(JSON.stringify(object)), ++this.#revision);
    this.#views.set(view.name, view);
    this.#listener(view.name, view);
  }

  remove(name: string): void {
    this.#views.delete(name);
    this.#listener(name, undefined);
  }
}

function* nothing(): Steps<[]> {
  yield;
  return [];
}

/**
 * Stands for a compiled schema: the field `unknown` of spec is unknown, in version `v2` `onlyV1` too; `mode` has the
 * version's name as default.
 */
function testSchema(schema: JsonObject): CompiledSchema {
  const name = String(schema['name']);
  const unknown = name === 'v2' ? ['onlyV1', 'unknown'] : ['unknown'];
  return {
    *prune(object) {
      yield;
      const spec = object['spec'] as JsonObject | undefined;
      return unknown
        .filter((field) => spec !== undefined && field in spec && delete spec[field])
        .map((field) => `spec.${field}`);
    },
    *pruneApplied() {},
    *dropMalformed() {},
    *applyDefaults(object) {
      yield;
      const spec = object['spec'] as JsonObject | undefined;
      if (spec === undefined || spec['mode'] !== undefined) return false;
      spec['mode'] = name;
      return true;
    },
    validateValues: nothing,
    validateEmbedded: nothing,
    validateLists: nothing,
    validateStatusValues: () => [],
    hasRules: false,
    validateRules: nothing,
  };
}

/**
 * Custom resources without network, on storage in memory; `compile` makes their schemas, `callConversionWebhook`
 * answers their reviews.
 */
export function customResources(
  compile: CompileSchema = testSchema,
  callConversionWebhook: CallConversionWebhook = () => Promise.reject(new Error('there is no webhook')),
): {
  server: InProcess;
  definitions: TestDefinitions;
  resources: () => CustomResources;
  /** What an operator is told. */
  reported: readonly string[];
} {
  const definitions = new TestDefinitions();
  let resources: CustomResources | undefined;
  const reported: string[] = [];
  const reportError = (message: string): unknown => reported.push(message);
  const server = new InProcess([], undefined, (environment, storage): Handler => {
    resources = new CustomResources({
      ...environment,
      storage,
      feed: definitions,
      compile,
      callConversionWebhook,
      reportError,
    });
    return resources.handler;
  });
  return { server, definitions, resources: () => resources as CustomResources, reported };
}
