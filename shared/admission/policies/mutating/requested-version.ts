import type { VersionedAttributes } from '#shared/admission/contract/versioned-attributes.ts';
import { formatGroupVersion } from '#shared/apimachinery/gvk.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { schemeName } from '#shared/serializer/decode-errors.ts';
import { MutationError } from './mutation-error.ts';

/**
 * Refuses the change of a built-in object in another version than that of the request: the reference converts what a
 * mutation returns to the version of the request, and has no conversion between two served versions
 * (apimachinery/pkg/runtime/scheme.go, ConvertToVersion).
 * @throws MutationError
 */
export function requireRequestedVersion({ kind, schema, attributes: { kind: asked } }: VersionedAttributes): void {
  if (schema.custom !== undefined || (kind.group === asked.group && kind.version === asked.version)) return;
  const type = `${kind.version}.${kind.kind}`;
  throw new MutationError(
    kind.group === asked.group
      ? `converting (${type}) to (${asked.version}.${asked.kind}): unknown conversion`
      : `${type} is not suitable for converting to ${goQuote(formatGroupVersion(asked))} in scheme ${goQuote(schemeName)}`,
  );
}
