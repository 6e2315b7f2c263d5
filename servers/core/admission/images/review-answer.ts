import type { Buffer } from 'node:buffer';
import { failureStatus, newGenericServerResponse, StatusError } from '#shared/apimachinery/errors/status.ts';
import { parseGroupVersion } from '#shared/apimachinery/gvk.ts';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { booleanAt, numberAt, objectAt, stringAt, stringMapAt } from '#shared/apimachinery/object.ts';
import type { ConfigurationScheme } from '#shared/configuration/configuration-scheme.ts';
import { decodeConfiguration } from '#shared/configuration/decode-configuration.ts';
import type { CollectedAnswer } from '#shared/request/collect-answer.ts';

/** The status of an ImageReview. */
export interface ReviewStatus {
  readonly allowed: boolean;
  readonly reason: string;
  readonly auditAnnotations: ReadonlyMap<string, string>;
}

const imageReview = { group: 'imagepolicy.k8s.io', version: 'v1alpha1', kind: 'ImageReview' };
const scheme: ConfigurationScheme = {
  isStrict: false,
  kinds: [{ apiVersion: 'imagepolicy.k8s.io/v1alpha1', kind: 'ImageReview', struct: 'ImageReview' }],
  types: {
    ImageReview: [['status', 0, '#ImageReviewStatus', '']],
    ImageReviewStatus: [
      ['allowed', 0, 'bool', ''],
      ['reason', 0, 'string', 'e'],
      ['auditAnnotations', 0, '{}string', 'e'],
    ],
  },
};

/** Whether the server knows a kind. */
export type KnowsKind = (group: string, version: string, kind: string) => boolean;

/** @throws Error for a body that is no ImageReview */
export function readImageReview({ status: code, headers, body }: CollectedAnswer, knowsKind: KnowsKind): ReviewStatus {
  if (body.length === 0) {
    const type = headers['content-type'] ?? '';
    throw new Error(`0-length response with status code: ${code} and content type: ${type}`);
  }
  const { apiVersion, kind } = namesIn(body);
  const { group, version } = parseGroupVersion(apiVersion);
  if (kind !== '' && kind !== imageReview.kind && knowsKind(group, version, kind))
    throw new Error(`converting (${version}.${kind}) to (v1alpha1.ImageReview): unknown conversion`);
  const status = objectAt(decodeConfiguration(scheme, body, imageReview), 'status');
  return {
    allowed: booleanAt(status, 'allowed') ?? false,
    reason: stringAt(status, 'reason'),
    auditAnnotations: stringMapAt(status, 'auditAnnotations'),
  };
}

/** The names in a body that is JSON. */
function namesIn(body: Buffer): { readonly apiVersion: string; readonly kind: string } {
  const object = parsedObject(body);
  return { apiVersion: stringAt(object, 'apiVersion'), kind: stringAt(object, 'kind') };
}

function parsedObject(body: Buffer): JsonObject | undefined {
  try {
    const value = JSON.parse(body.toString('utf8')) as JsonValue;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Codes that another attempt may change. */
const passing: ReadonlySet<number> = new Set([429, 500, 504]);

/** The error in an answer, as client-go words it, and whether another attempt may help. */
export function errorOfAnswer({ status, headers, body }: CollectedAnswer): {
  readonly fault?: Error;
  readonly mayRetry: boolean;
} {
  if (status >= 200 && status <= 206) return { mayRetry: false };
  const type = headers['content-type'] ?? '';
  const text = type === '' || type.startsWith('text/') ? body.toString('utf8', 0, maxShownBytes).trim() : 'unknown';
  const said = parsedObject(body);
  const fault =
    said?.['kind'] === 'Status'
      ? new StatusError(
          failureStatus(numberAt(said, 'code') ?? status, stringAt(said, 'reason'), stringAt(said, 'message')),
        )
      : newGenericServerResponse(status, text);
  return { fault, mayRetry: passing.has(status) || headers['retry-after'] !== undefined };
}

const maxShownBytes = 2048;
