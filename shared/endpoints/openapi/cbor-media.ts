import { applyCborType } from '#shared/endpoints/patch/patch-types.ts';
import { cborType, protobufType } from '#shared/serializer/negotiate.ts';
import type { Operation, Paths } from './operation.ts';

const sequence = 'application/cbor-seq';
const applyYaml = 'application/apply-patch+yaml';

/**
 * Adds CBOR after protobuf to the paths of a group version, for a server with the feature gate CBORServingAndStorage.
 */
export function withCborMedia(paths: Paths): Paths {
  return new Map([...paths].map(([path, operations]) => [path, operations.map(withCbor)]));
}

function withCbor(operation: Operation): Operation {
  const { body, consumes, produces } = operation;
  return {
    ...operation,
    produces: extended(produces),
    ...(consumes === undefined ? {} : { consumes: extended(consumes) }),
    ...(body === undefined ? {} : { body: { ...body, mediaTypes: extended(body.mediaTypes) } }),
  };
}

function extended(mediaTypes: readonly string[]): readonly string[] {
  const own = mediaTypes.flatMap((type) =>
    type === protobufType ? [type, cborType] : type === applyYaml ? [type, applyCborType] : [type],
  );
  return mediaTypes.some((type) => type.endsWith(';stream=watch')) ? [...own, sequence] : own;
}
