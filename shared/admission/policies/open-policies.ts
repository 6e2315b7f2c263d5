import type { PluginRegistry } from '#shared/admission/admission-chain.ts';
import type { AuthorizeAccess } from '#shared/admission/contract/authorize.ts';
import { ObjectLister, type ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import type { ManifestOptions } from '#shared/admission/manifests/manifest-source.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { ownRelease } from '#shared/apimachinery/release-version.ts';
import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import type { ConditionCompiler } from '#shared/cel/uses/admission.ts';
import type { ParamSource } from './contract/param-source.ts';
import { loadEngine } from './load-engine.ts';
import { manifestPolicies } from './manifest-policies.ts';
import { MutatingAdmissionPolicy } from './mutating-admission-policy.ts';
import type { CompiledMutatingPolicy } from './mutating/compile-policy.ts';
import { PolicySource } from './policy-source.ts';
import { ValidatingAdmissionPolicy } from './validating-admission-policy.ts';
import type { CompiledValidatingPolicy } from './validating/compile-policy.ts';

export interface PoliciesOptions {
  readonly caches: ObjectCaches;
  readonly authorize: AuthorizeAccess;
  readonly params: ParamSource;
  /** Whether the feature gate MutatingAdmissionPolicy is on. */
  readonly mutating: boolean;
  /** Policies that do not come from the API. Default: there are none. */
  readonly manifests?: ManifestOptions;
  /** Default: a compiler of its own. */
  readonly compiler?: () => ConditionCompiler;
  readonly reportError: (message: string, error: unknown) => void;
}

/** The policies of one server process; both plugins share what they read. */
export class Policies {
  readonly #options: PoliciesOptions;
  readonly #namespaces: ObjectLister;
  readonly #sources: PolicySource<unknown>[] = [];
  #compiler: ConditionCompiler | undefined;

  constructor(options: PoliciesOptions) {
    this.#options = options;
    this.#namespaces = new ObjectLister(options.caches, '', 'namespaces');
  }

  /** The plugins by name; each follows its policies from {@link ready} on. */
  plugins(): PluginRegistry {
    const environment = { namespaces: this.#namespaces, authorize: this.#options.authorize };
    return {
      MutatingAdmissionPolicy: () =>
        this.#options.mutating ? new MutatingAdmissionPolicy(this.#mutating(), environment) : undefined,
      ValidatingAdmissionPolicy: () => new ValidatingAdmissionPolicy(this.#validating(), environment),
    };
  }

  /** Resolves when the stored policies of the enabled plugins are in effect. */
  async ready(): Promise<void> {
    await Promise.all(this.#sources.map((source) => source.ready()));
  }

  /**
   * Reads the policies that do not come from the API.
   * @throws ConfigurationError
   */
  async loadManifests(): Promise<void> {
    for (const source of this.#sources) await source.loadManifests();
  }

  close(): void {
    for (const source of this.#sources) source.close();
    this.#options.params.close();
  }

  #validating(): PolicySource<CompiledValidatingPolicy> {
    return this.#follow('ValidatingAdmissionPolicy', 'validatingadmissionpolicies', async (name, spec) => {
      const engine = await loadEngine();
      return await inSlices(engine.compileValidatingPolicy(name, spec, this.#compilerOf(engine)));
    });
  }

  #mutating(): PolicySource<CompiledMutatingPolicy> {
    return this.#follow('MutatingAdmissionPolicy', 'mutatingadmissionpolicies', async (name, spec) => {
      const engine = await loadEngine();
      return await inSlices(engine.compileMutatingPolicy(name, spec, this.#compilerOf(engine)));
    });
  }

  #follow<Evaluator>(
    plugin: 'ValidatingAdmissionPolicy' | 'MutatingAdmissionPolicy',
    policies: 'validatingadmissionpolicies' | 'mutatingadmissionpolicies',
    compile: (name: string, spec: JsonObject) => Promise<Evaluator>,
  ): PolicySource<Evaluator> {
    const { caches, params, reportError, manifests: options } = this.#options;
    const bindings = policies.replace(/ies$/, 'ybindings');
    const manifests = options && manifestPolicies(plugin, options, compile);
    const source = new PolicySource({ caches, policies, bindings, params, manifests, compile, reportError });
    this.#sources.push(source);
    return source;
  }

  #compilerOf({ ConditionCompiler, baseEnvironments }: Awaited<ReturnType<typeof loadEngine>>): ConditionCompiler {
    // Stored expressions may use what any release offers, so that it does not matter which one new ones have to suit.
    this.#compiler ??= this.#options.compiler?.() ?? new ConditionCompiler(baseEnvironments(ownMinor));
    return this.#compiler;
  }
}

const ownMinor = Number(ownRelease.split('.')[1]);
