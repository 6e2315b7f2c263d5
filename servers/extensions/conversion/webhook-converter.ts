import type { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { failureStatus, StatusError } from '#shared/apimachinery/errors/status.ts';
import { formatGroupVersionKind, parseGroupVersionKind } from '#shared/apimachinery/gvk.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { inSlices, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { ConversionFailure } from './conversion-failure.ts';
import { readReview, reviewText, reviewVersionOf, type ReviewRequest } from './conversion-review.ts';
import { InvalidConvertedObject, takeConverted, type Original } from './converted-object.ts';

/** An object that a webhook converts. */
export interface Convertible extends Original {
  readonly apiVersion: string;
  /** The whole object, without a resourceVersion: the reference converts objects as they lie in storage. */
  readonly json: Buffer;
}

export interface WebhookConverterOptions {
  /** The definition's `conversionReviewVersions`. */
  readonly reviewVersions: readonly string[];
  /** The apiVersions of all versions of the definition. */
  readonly apiVersions: ReadonlySet<string>;
  /**
   * Sends the body of a review and returns that of the answer.
   * @throws Error whose message says, in the reference's words, why there is no answer
   */
  readonly call: (body: string) => Promise<Buffer>;
  /** Makes the uid of a review. Default: a random one. */
  readonly newUid?: () => string;
}

/** Converts custom resources of one definition between its versions by its webhook. */
export class WebhookConverter {
  readonly #options: WebhookConverterOptions;

  constructor(options: WebhookConverterOptions) {
    this.#options = options;
  }

  /**
   * Converts objects of other versions by one review. Their order is kept.
   * @throws ConversionFailure
   */
  async convert(objects: readonly Convertible[], apiVersion: string): Promise<JsonObject[]> {
    const { reviewVersions, newUid = randomUUID, call } = this.#options;
    for (const object of objects) this.#checkVersions(object, apiVersion);
    const version = reviewVersionOf(reviewVersions);
    if (version === undefined) throw new ConversionFailure('answer', 'no supported conversion review versions');
    const request: ReviewRequest = {
      version,
      uid: newUid(),
      desiredAPIVersion: apiVersion,
      objects: objects.map(({ json }) => json),
    };
    const subject = subjectOf(objects[0]);
    const answer = await called(call(reviewText(request)), subject);
    return inSlices(this.#take(answer, request, objects, subject));
  }

  #checkVersions(object: Convertible, apiVersion: string): void {
    const { apiVersions } = this.#options;
    if (!apiVersions.has(apiVersion))
      throw new ConversionFailure('call', `request to convert CR to an invalid group/version: ${apiVersion}`);
    if (!apiVersions.has(object.apiVersion))
      throw new ConversionFailure(
        'object',
        `request to convert CR from an invalid group/version: ${object.apiVersion}`,
      );
  }

  *#take(
    answer: Buffer,
    request: ReviewRequest,
    objects: readonly Convertible[],
    subject: string,
  ): Steps<JsonObject[]> {
    let received: readonly JsonValue[];
    try {
      received = yield* readReview(answer, request);
    } catch (error) {
      throw new ConversionFailure('answer', `${subject} failed: ${messageOf(error)}`);
    }
    if (received.length !== objects.length)
      throw new ConversionFailure(
        'count',
        `${subject} returned ${received.length} objects, expected ${objects.length}`,
      );
    const converted: JsonObject[] = [];
    for (const [index, original] of objects.entries()) {
      try {
        converted.push(yield* takeConverted(received[index] ?? null, original, request.desiredAPIVersion));
      } catch (error) {
        throw new ConversionFailure('object', invalidText(subject, error));
      }
      yield;
    }
    return converted;
  }
}

/** The failure as the answer of a request. */
export function conversionStatus(failure: ConversionFailure): StatusError {
  return new StatusError(failureStatus(500, '', failure.message), { cause: failure });
}

function subjectOf(object: Convertible | undefined): string {
  const kind = parseGroupVersionKind(object?.apiVersion ?? '', object?.kind ?? '');
  return `conversion webhook for ${formatGroupVersionKind(kind)}`;
}

async function called(answer: Promise<Buffer>, subject: string): Promise<Buffer> {
  try {
    return await answer;
  } catch (error) {
    throw new ConversionFailure('call', `${subject} failed: ${messageOf(error)}`, { cause: error });
  }
}

function invalidText(subject: string, error: unknown): string {
  if (!(error instanceof InvalidConvertedObject)) throw error;
  switch (error.check) {
    case 'unreadable':
      return error.message;
    case 'object':
      return `${subject} returned invalid object at index 0: ${error.message}`;
    case 'identity':
      return `${subject} returned invalid object: ${error.message}`;
    case 'metadata':
      return `${subject} returned invalid metadata: ${error.message}`;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
