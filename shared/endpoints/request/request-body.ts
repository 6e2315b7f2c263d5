import { newBadRequest } from '#shared/apimachinery/errors/status.ts';
import { formatGroupVersion, type GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { isSliced, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { Pace } from '#shared/registry/pace.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { bodyMediaType, decodeBody } from '#shared/serializer/codec.ts';
import { type FieldValidation } from '#shared/serializer/decode-binary.ts';
import { bodyError, DecodeError, unregisteredTypeText } from '#shared/serializer/decode-errors.ts';
import { applyDefaults } from '#shared/serializer/defaults.ts';
import { strictErrorLines } from '#shared/serializer/yaml/duplicates.ts';
import { spanEvent } from '#shared/spans/active-span.ts';
import { observeBody, type BodyVerb } from './body-metrics.ts';
import { unknownConversionText } from './other-kinds.ts';
import { isStrategyDefaulted, toStorage, type RequestScope } from './request-scope.ts';

export interface RawBody {
  readonly bytes: Buffer;
  readonly contentType: string | undefined;
}

export async function readBody({ env, gvr }: RequestScope, context: RequestContext, verb: BodyVerb): Promise<RawBody> {
  const bytes = await context.exchange.readBody(env.maxBodyBytes);
  observeBody(gvr, verb, bytes.length);
  spanEvent('limitedReadBody succeeded', 'len', bytes.length);
  return { bytes, contentType: context.exchange.headers['content-type'] as string | undefined };
}

/**
 * Refuses an unsupported media type before the body is read, which its client may hold back until then.
 * @throws StatusError 415
 */
export function checkBodyType(context: RequestContext, { env, schema }: RequestScope): void {
  bodyMediaType(context.exchange.headers['content-type'] as string | undefined, {
    mediaTypes: env.mediaTypes,
    custom: schema.custom === undefined ? undefined : schema,
  });
}

/**
 * Decodes a body to its object, defaulted, in the storage version; large bodies are decoded in slices. Unknown fields
 * become warnings or an error.
 * @throws StatusError 400 for a body that is not of the kind of the scope, 415 for an unsupported media type
 */
export async function readObject(
  context: RequestContext,
  scope: RequestScope,
  body: RawBody,
  fieldValidation: FieldValidation,
  pace: Pace,
): Promise<KubeObject> {
  // A large body was joined in this turn of the event loop: lets other requests run first.
  if (pace.yields) await pace.between();
  spanEvent('About to convert to expected version');
  const object = await pace.run(decodeObjectInSteps(context, scope, body, fieldValidation));
  spanEvent('Conversion done');
  return object;
}

function* decodeObjectInSteps(
  context: RequestContext,
  scope: RequestScope,
  body: RawBody,
  fieldValidation: FieldValidation,
): Steps<KubeObject> {
  const { kind } = scope;
  const { custom } = scope.schema;
  const decoded = yield* decodeBody(scope.env.facts, body.contentType, body.bytes, {
    defaultGvk: kind,
    fieldValidation,
    mediaTypes: scope.env.mediaTypes,
    custom: custom === undefined ? undefined : scope.schema,
    // The reference's scheme for custom resources does not have Scale, and its errors say so.
    errorText:
      custom === undefined && scope.rest.schema.custom !== undefined ? unregisteredTypeText(kind.kind) : undefined,
  });
  const { gvk } = decoded;
  // A custom resource of another kind is refused later, by validation.
  if (gvk.kind !== kind.kind && custom === undefined) {
    throw newBadRequest(
      `${gvk.kind} in version ${goQuote(gvk.version)} cannot be handled as a ${kind.kind}: ${unknownConversionText(gvk, kind)}`,
    );
  }
  const warn = (): void => {
    if (fieldValidation === 'Warn')
      for (const text of decoded.strictErrors.flatMap(strictErrorLines)) context.addWarning(text);
  };
  if (!accepts(kind, gvk)) {
    warn();
    throw newBadRequest(
      `the API version in the data (${formatGroupVersion(gvk)}) does not match the expected API version (${formatGroupVersion(kind)})`,
    );
  }
  if (isSliced()) yield;
  const object = yield* converted(scope, decoded.object, (reason) =>
    bodyError(new DecodeError(reason, gvk), kind.kind, body.bytes),
  );
  // Warns only after the conversion: as in the reference, an object that cannot be converted gets no warnings.
  warn();
  return object;
}

/**
 * As {@link defaulted}, but throws `refusal` instead of a DecodeError: the conversion to the storage version may find
 * an invalid annotation that represents a field.
 */
export function* converted(
  scope: RequestScope,
  object: KubeObject,
  refusal: (reason: string) => Error,
): Steps<KubeObject> {
  try {
    return yield* defaulted(scope, object);
  } catch (error) {
    throw error instanceof DecodeError ? refusal(error.message) : error;
  }
}

/**
 * Sets the constant defaults of the served version, converts to the storage version, then sets the defaults in code,
 * unless the conversion has its own.
 */
function* defaulted(scope: RequestScope, object: KubeObject): Steps<KubeObject> {
  yield* applyDefaults(scope.schema, object);
  scope.subresource?.applyDefaults?.(object);
  if (!isStrategyDefaulted(scope)) return object;
  if (scope.rest.conversion?.applyDefaults !== undefined) {
    scope.rest.conversion.applyDefaults(object);
    return toStorage(scope, object);
  }
  const stored = toStorage(scope, object);
  const strategy = scope.rest.store?.strategy;
  if (strategy?.applyDefaultsInSteps === undefined) strategy?.applyDefaults?.(stored);
  else yield* strategy.applyDefaultsInSteps(stored);
  return stored;
}

/**
 * Whether a body's kind is accepted. The eviction subresource also accepts `policy/v1beta1`, whose shape is the same.
 */
function accepts(kind: GroupVersionKind, gvk: GroupVersionKind): boolean {
  if (gvk.group !== kind.group) return false;
  return (
    gvk.version === kind.version || (kind.kind === 'Eviction' && kind.group === 'policy' && gvk.version === 'v1beta1')
  );
}
