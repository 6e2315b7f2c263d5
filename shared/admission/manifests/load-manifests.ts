import { Buffer } from 'node:buffer';
import type { RuleCompilers } from '#shared/admission/registration/rule-compilers.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import { aggregateText, path } from '#shared/apimachinery/errors/field-error.ts';
import type { GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { compareUtf8, goJson, goQuote } from '#shared/apimachinery/text/go-format.ts';
import { validateObjectMeta } from '#shared/apimachinery/validation/meta-validation.ts';
import { nameIsDNSSubdomain } from '#shared/apimachinery/validation/names.ts';
import { ConfigurationError } from '#shared/configuration/decode-configuration.ts';
import { applyDefaults } from '#shared/serializer/defaults.ts';
import { decodeManifest, isPlainList, registrationGroup, type DecodedManifest } from './decode-manifest.ts';
import type { ManifestDocument } from './manifest-files.ts';
import { kindsOfPlugin, staticSuffix, type ManifestKind, type ManifestPlugin } from './manifest-kinds.ts';

/** The objects of a folder by their kinds, sorted by their names. */
export type Manifests = ReadonlyMap<string, readonly KubeObject[]>;

/**
 * The objects of the plugin in the documents, defaulted and validated as the API does, and by the rules of manifests
 * (apiserver/pkg/admission/plugin/{policy,webhook}/manifest/loader).
 * @throws ConfigurationError the first error, in the reference's words
 */
export function* loadManifests(
  plugin: ManifestPlugin,
  documents: readonly ManifestDocument[],
  compilers: RuleCompilers,
): Steps<Manifests> {
  const loader = new Loader(kindsOfPlugin[plugin], compilers);
  for (const { file, text } of documents) {
    try {
      yield* loader.take(yield* decodeManifest(text), file);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      throw new ConfigurationError(`error loading ${file}: ${error.message}`);
    }
  }
  return loader.sorted();
}

class Loader {
  readonly #kinds: readonly ManifestKind[];
  readonly #compilers: RuleCompilers;
  /** Kind → name → object. */
  readonly #found: ReadonlyMap<string, Map<string, { readonly object: KubeObject; readonly file: string }>>;

  constructor(kinds: readonly ManifestKind[], compilers: RuleCompilers) {
    this.#kinds = kinds;
    this.#compilers = compilers;
    this.#found = new Map(kinds.map(({ kind }) => [kind, new Map()]));
  }

  *take({ object, gvk }: DecodedManifest, file: string): Steps<void> {
    if (isPlainList(gvk)) {
      for (const item of itemsOf(object)) yield* this.take(yield* decodeItem(item), file);
      return;
    }
    const kind = this.#kinds.find((known) => gvk.kind === known.kind || gvk.kind === `${known.kind}List`);
    if (kind === undefined || gvk.group !== registrationGroup || gvk.version !== 'v1')
      throw new ConfigurationError(`unsupported resource type *${gvk.version}.${gvk.kind}`);
    const objects = gvk.kind === kind.kind ? [object] : itemsOf(object).map((item) => asItem(item, gvk, kind.kind));
    for (const one of objects) yield* this.#prepare(kind, one);
    for (const one of objects) this.#add(kind, one, file);
  }

  /** @throws ConfigurationError for a binding whose policy is not in the folder */
  sorted(): Manifests {
    const [first, second] = this.#kinds;
    for (const { object } of this.#found.get(second?.kind ?? '')?.values() ?? []) {
      const policy = stringAt(object, 'spec', 'policyName');
      if (this.#found.get(first?.kind ?? '')?.has(policy) !== true)
        throw new ConfigurationError(
          `binding ${goQuote(object.metadata.name ?? '')} references policy ${goQuote(policy)} which does not exist in the manifest directory`,
        );
    }
    return new Map(
      [...this.#found].map(([kind, byName]) => [
        kind,
        [...byName].sort(([a], [b]) => compareUtf8(a, b)).map(([, { object }]) => object),
      ]),
    );
  }

  *#prepare({ kind, applyDefaults: applyOwnDefaults, validate }: ManifestKind, object: KubeObject): Steps<void> {
    const schema = loadFacts().schema(registrationGroup, 'v1', kind);
    if (schema !== undefined) yield* applyDefaults(schema, object);
    applyOwnDefaults(object);
    const errors = [
      ...(yield* validateObjectMeta(object.metadata, false, nameIsDNSSubdomain, path('metadata'))),
      ...(yield* validate(object, this.#compilers)),
    ];
    if (errors.length === 0) return;
    throw new ConfigurationError(`${kind} ${goQuote(object.metadata.name ?? '')}: ${aggregateText(errors)}`);
  }

  #add({ kind, constrain }: ManifestKind, object: KubeObject, file: string): void {
    const name = object.metadata.name ?? '';
    const seen = this.#found.get(kind);
    if (name === '') throw new ConfigurationError(`resource in file ${goQuote(file)} must have a name`);
    if (!name.endsWith(staticSuffix))
      throw new ConfigurationError(
        `${goQuote(name)} in file ${goQuote(file)} must have a name ending with ${goQuote(staticSuffix)}`,
      );
    const before = seen?.get(name);
    if (before !== undefined)
      throw new ConfigurationError(
        `duplicate name ${goQuote(name)} found in file ${goQuote(file)} (previously seen in ${goQuote(before.file)})`,
      );
    seen?.set(name, { object, file });
    constrain(object, file);
  }
}

function itemsOf(list: KubeObject): readonly JsonValue[] {
  const items = list['items'];
  return Array.isArray(items) ? items : [];
}

/** An item of a list of one kind, which need not say its kind. */
function asItem(item: JsonValue, { group, version }: GroupVersionKind, kind: string): KubeObject {
  const object = asKubeObject(isObject(item) ? item : {});
  object.apiVersion = `${group}/${version}`;
  object.kind = kind;
  return object;
}

function* decodeItem(item: JsonValue): Steps<DecodedManifest> {
  try {
    return yield* decodeManifest(Buffer.from(goJson(item)));
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(`failed to decode list item: ${error.message}`);
  }
}
