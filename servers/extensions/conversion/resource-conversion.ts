import { Buffer } from 'node:buffer';
import type { DefinitionView, WebhookConversion } from '#servers/extensions/facts/definition-view.ts';
import type { ResourceVersionShape } from '#servers/extensions/facts/resource-version-shape.ts';
import { isObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { waitFor, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { looseTextInSteps } from '#shared/serializer/json/loose-in-steps.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { ConversionFailure } from './conversion-failure.ts';
import { conformed, EntryConverter } from './entry-converter.ts';
import type { FormConversion } from './form-conversion.ts';
import { conversionStatus, WebhookConverter } from './webhook-converter.ts';

/**
 * Calls the webhook of a definition with the body of a review; resolves with the body of its answer.
 * @throws Error whose message says, in the reference's words, why there is no answer
 */
export type CallConversionWebhook = (webhook: WebhookConversion, body: string) => Promise<Buffer>;

export interface ResourceConversionOptions {
  readonly definition: DefinitionView;
  readonly webhook: WebhookConversion;
  readonly call: CallConversionWebhook;
  readonly shapeOf: (apiVersion: string) => ResourceVersionShape | undefined;
  readonly fieldsOf: (object: KubeObject) => CacheEntry['fields'];
}

/** The conversion of one definition's custom resources by its webhook. Failures are answers of requests: 500. */
export class ResourceConversion implements FormConversion {
  readonly #options: ResourceConversionOptions;
  readonly #converter: WebhookConverter;
  readonly #entries: EntryConverter;

  constructor(options: ResourceConversionOptions) {
    const { definition, webhook, call, shapeOf, fieldsOf } = options;
    const { group, versions, storageVersion, names } = definition;
    this.#options = options;
    this.#converter = new WebhookConverter({
      reviewVersions: webhook.reviewVersions,
      apiVersions: new Set(versions.map(({ name }) => `${group}/${name}`)),
      call: (body) => call(webhook, body),
    });
    this.#entries = new EntryConverter({
      converter: this.#converter,
      kind: names.kind,
      storageVersion: `${group}/${storageVersion}`,
      shapeOf,
      fieldsOf,
    });
  }

  entries(
    entries: readonly CacheEntry[],
    apiVersion: string,
    fresh = false,
  ): readonly CacheEntry[] | Promise<readonly CacheEntry[]> {
    const converted = this.#entries.convert(entries, apiVersion, fresh);
    return converted instanceof Promise ? converted.catch(asAnswer) : converted;
  }

  *object(object: KubeObject, apiVersion: string): Steps<KubeObject> {
    try {
      const converted = yield* this.#convertedObject(object, apiVersion);
      yield* conformed(converted, this.#options.shapeOf(apiVersion));
      return converted;
    } catch (error) {
      return asAnswer(error);
    }
  }

  /** As {@link object}, but the object is not pruned: for field managers and admission, as in the reference. */
  *unpruned(object: KubeObject, apiVersion: string): Steps<KubeObject> {
    try {
      return yield* this.#convertedObject(object, apiVersion);
    } catch (error) {
      return asAnswer(error);
    }
  }

  /** The reference asks no webhook to convert an object that has no fields. */
  *#convertedObject(object: KubeObject, apiVersion: string): Steps<KubeObject> {
    if (object.apiVersion === apiVersion) return object;
    if (hasNoFields(object)) return { ...object, apiVersion };
    const json = Buffer.from(yield* looseTextInSteps(object));
    const { apiVersion: from = '', kind = '', metadata } = object;
    const convertible = { json, apiVersion: from, kind, metadata: isObject(metadata) ? metadata : {} };
    const [converted = object] = yield* waitFor(this.#converter.convert([convertible], apiVersion));
    return asKubeObject(converted);
  }
}

function asAnswer(error: unknown): never {
  throw error instanceof ConversionFailure ? conversionStatus(error) : error;
}

function hasNoFields(object: KubeObject): boolean {
  return Object.keys(object).every(
    (key) =>
      key === 'apiVersion' || key === 'kind' || (key === 'metadata' && Object.keys(object.metadata).length === 0),
  );
}
