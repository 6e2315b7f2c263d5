import { customResourceFacts } from '#servers/extensions/facts/custom-resource-facts.ts';
import type { DefinitionVersion, DefinitionView } from '#servers/extensions/facts/definition-view.ts';
import { loadDescriptions } from '#shared/api/descriptions/load-descriptions.ts';
import type { Facts, ResourceFacts } from '#shared/api/facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { OpenApiDocument } from '#shared/endpoints/openapi/document-bytes.ts';
import type { ServedVersion } from '#shared/endpoints/openapi/document-paths.ts';
import type { CustomDocuments } from '#shared/endpoints/openapi/document-text.ts';
import type { Dialect } from '#shared/endpoints/openapi/model-schema.ts';
import { OpenApiDocuments } from '#shared/endpoints/openapi/openapi-documents.ts';
import type { DocumentSource } from '#shared/endpoints/openapi/openapi-handler.ts';
import { CustomModels, modelName } from './custom-models.ts';
import { customPaths } from './custom-operations.ts';

/** Groups that the reference's builder of these documents does not know. */
const unknownToClients: ReadonlySet<string> = new Set([
  'admission.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'imagepolicy.k8s.io',
]);

interface Part {
  readonly definition: DefinitionView;
  readonly version: DefinitionVersion;
}

/** The documents of one custom group version, kept until its definitions change. */
interface Kept {
  readonly fingerprint: string;
  readonly documents: OpenApiDocuments;
}

interface ExtensionsOpenApiOptions {
  readonly facts: Facts;
  /** The group version of definitions themselves. */
  readonly own: ServedVersion;
  readonly definitions: () => Iterable<DefinitionView>;
  readonly build: string;
  /** The release in the member `info` of the documents. */
  readonly apiVersion: string;
  /** Whether the definitions' own group supports CBOR. */
  readonly cbor: boolean;
  /** Logs what cannot be documented. */
  readonly report: (message: string, error: unknown) => void;
}

/** OpenAPI of the definitions' own group and of all custom resources. Unchanged documents are not built again. */
export class ExtensionsOpenApi implements DocumentSource {
  readonly #facts: Facts;
  readonly #build: string;
  readonly #apiVersion: string;
  readonly #own: OpenApiDocuments;
  readonly #ownNames: ReadonlySet<string>;
  readonly #definitions: () => Iterable<DefinitionView>;
  readonly #report: (message: string, error: unknown) => void;
  readonly #kept = new Map<string, Kept>();
  #everything: Kept | undefined;

  constructor({ facts, own, definitions, build, apiVersion, cbor, report }: ExtensionsOpenApiOptions) {
    this.#facts = facts;
    this.#apiVersion = apiVersion;
    this.#build = build;
    this.#definitions = definitions;
    this.#report = report;
    this.#own = new OpenApiDocuments({ facts, describe: loadDescriptions(), apiVersion, cbor }, [own], build);
    this.#ownNames = new Set([`apis/${own.group}`, `apis/${own.group}/${own.version}`]);
  }

  v3Entries(): Map<string, string> {
    const own = [...this.#own.v3Entries()].filter(([name]) => this.#ownNames.has(name));
    const custom = [...this.#current().values()].flatMap(({ documents }) => [...documents.v3Entries()]);
    return new Map([...own, ...custom]);
  }

  v3Hash(name: string): string | undefined {
    return this.#of(name)?.v3Hash(name);
  }

  v3(name: string): Promise<OpenApiDocument> | undefined {
    return this.#of(name)?.v3(name);
  }

  v2(): Promise<OpenApiDocument> {
    return this.#all().v2();
  }

  v2Protobuf(): Promise<OpenApiDocument> {
    return this.#all().v2Protobuf();
  }

  #of(name: string): OpenApiDocuments | undefined {
    return this.#ownNames.has(name) ? this.#own : this.#current().get(name)?.documents;
  }

  /** The documents by name; drops those of versions that are no longer served. */
  #current(): ReadonlyMap<string, Kept> {
    const parts = new Map<string, Part[]>();
    for (const definition of this.#definitions()) {
      for (const version of definition.versions) {
        if (!version.served) continue;
        const name = `apis/${definition.group}/${version.name}`;
        const of = parts.get(name);
        if (of === undefined) parts.set(name, [{ definition, version }]);
        else of.push({ definition, version });
      }
    }
    for (const name of this.#kept.keys()) if (!parts.has(name)) this.#kept.delete(name);
    for (const [name, of] of parts) {
      const fingerprint = fingerprintOf(of);
      if (this.#kept.get(name)?.fingerprint !== fingerprint)
        this.#kept.set(name, { fingerprint, documents: this.#documents(of, fingerprint) });
    }
    return this.#kept;
  }

  /** One document with all definitions, as OpenAPI v2 needs it. */
  #all(): OpenApiDocuments {
    const parts = [...this.#definitions()].flatMap((definition) =>
      definition.versions.filter(({ served }) => served).map((version) => ({ definition, version })),
    );
    const fingerprint = fingerprintOf(parts);
    if (this.#everything?.fingerprint !== fingerprint)
      this.#everything = { fingerprint, documents: this.#documents(parts, fingerprint) };
    return this.#everything.documents;
  }

  /** The model, or an object of any content where it cannot be made: no definition takes those of others away. */
  *#guarded({ name }: DefinitionView, model: Steps<JsonObject>): Steps<JsonObject> {
    try {
      return yield* model;
    } catch (error) {
      this.#report(`the schema of ${name} cannot be documented`, error);
      return { type: 'object' };
    }
  }

  #documents(parts: readonly Part[], fingerprint: string): OpenApiDocuments {
    const describe = loadDescriptions();
    const models = new CustomModels(describe);
    const known = new Map<string, (dialect: Dialect, refer: (model: string) => void) => Steps<JsonObject>>();
    const versions = new Map<string, { group: string; version: string; resources: ResourceFacts[] }>();
    for (const { definition, version } of parts) {
      const { group, names } = definition;
      known.set(modelName(group, version.name, names.kind), (...how) =>
        this.#guarded(definition, models.object(definition, version, ...how)),
      );
      known.set(modelName(group, version.name, names.listKind), (...how) => models.list(definition, version, ...how));
      const of = versions.get(`${group}/${version.name}`) ?? { group, version: version.name, resources: [] };
      of.resources.push(customResourceFacts(definition, version));
      versions.set(`${group}/${version.name}`, of);
    }
    const custom: CustomDocuments = {
      info: { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' },
      knowsGroup: (group) => !unknownToClients.has(group),
      paths: ({ resources }) => customPaths({ facts: this.#facts, describe }, resources),
      model: (name, dialect, refer) => known.get(name)?.(dialect, refer),
    };
    return new OpenApiDocuments(
      { facts: this.#facts, describe, apiVersion: this.#apiVersion, custom },
      [...versions.values()],
      `${this.#build} ${fingerprint}`,
    );
  }
}

function fingerprintOf(parts: readonly Part[]): string {
  return parts.map(({ definition, version }) => `${definition.uid} ${definition.revision} ${version.name}`).join();
}
