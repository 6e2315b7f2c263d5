import type { PluginRegistry } from '#shared/admission/admission-chain.ts';
import type { ManifestOptions } from '#shared/admission/manifests/manifest-source.ts';
import type { ConditionCompiler } from '#shared/cel/uses/admission.ts';
import { MutatingAdmissionWebhook } from './mutating-admission-webhook.ts';
import { ValidatingAdmissionWebhook } from './validating-admission-webhook.ts';
import type { WebhookDependencies } from './webhook-plugin.ts';
import { WebhookSource, type WebhookConfigurations } from './webhook-source.ts';

export interface WebhooksOptions extends WebhookDependencies {
  /** Folders of configurations that do not come from the API. Default: there are none. */
  readonly manifests?: ManifestOptions;
  /** Default: a compiler of its own. */
  readonly compiler?: () => ConditionCompiler;
  readonly reportError: (message: string, error: unknown) => void;
}

/** The admission webhooks that one server process calls. */
export class Webhooks {
  readonly #options: WebhooksOptions;
  readonly #sources: WebhookSource[] = [];

  constructor(options: WebhooksOptions) {
    this.#options = options;
  }

  /** The plugins by name; each follows its configurations from {@link ready} on. */
  plugins(): PluginRegistry {
    return {
      MutatingAdmissionWebhook: () =>
        new MutatingAdmissionWebhook(this.#follow('mutatingwebhookconfigurations'), this.#options),
      ValidatingAdmissionWebhook: () =>
        new ValidatingAdmissionWebhook(this.#follow('validatingwebhookconfigurations'), this.#options),
    };
  }

  /** Resolves when the stored configurations of the enabled plugins are in effect. */
  async ready(): Promise<void> {
    await Promise.all(this.#sources.map((source) => source.ready()));
  }

  /**
   * Reads the configurations that do not come from the API.
   * @throws ConfigurationError
   */
  async loadManifests(): Promise<void> {
    for (const source of this.#sources) await source.loadManifests();
  }

  /** The client of webhooks is closed by its owner. */
  close(): void {
    for (const source of this.#sources) source.close();
  }

  #follow(resource: WebhookConfigurations): WebhookSource {
    const { caches, compiler, manifests, reportError } = this.#options;
    const source = new WebhookSource({ caches, resource, compiler, manifests, reportError });
    this.#sources.push(source);
    return source;
  }
}
