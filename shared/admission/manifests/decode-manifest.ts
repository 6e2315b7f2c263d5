import { loadFacts } from '#shared/api/load-facts.ts';
import type { GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { ConfigurationError, isJsonObject, requireNamed } from '#shared/configuration/decode-configuration.ts';
import { decodeText } from '#shared/serializer/codec.ts';
import { DecodeError, notRegisteredText } from '#shared/serializer/decode-errors.ts';
import { jsonType, yamlType } from '#shared/serializer/negotiate.ts';

export const registrationGroup = 'admissionregistration.k8s.io';

export interface DecodedManifest {
  readonly object: KubeObject;
  readonly gvk: GroupVersionKind;
}

const unnamed: GroupVersionKind = { group: '', version: '', kind: '' };

/**
 * Decodes one document by its kind, strictly. Manifests hold kinds of `admissionregistration.k8s.io` and Lists of them.
 * @throws ConfigurationError
 */
export function* decodeManifest(text: Uint8Array): Steps<DecodedManifest> {
  try {
    const { object, gvk, strictErrors } = yield* decodeText(
      { schema: (group, version, kind) => findSchema({ group, version, kind }, text) },
      isJsonObject(text) ? jsonType : yamlType,
      text,
      { defaultGvk: unnamed, fieldValidation: 'Strict' },
    );
    if (strictErrors.length > 0) throw new ConfigurationError(`strict decoding error: ${strictErrors.join(', ')}`);
    return { object, gvk };
  } catch (error) {
    throw error instanceof DecodeError ? new ConfigurationError(error.message) : error;
  }
}

export function isPlainList({ group, version, kind }: GroupVersionKind): boolean {
  return group === '' && version === 'v1' && kind === 'List';
}

function findSchema(gvk: GroupVersionKind, text: Uint8Array): StructSchema {
  requireNamed(gvk, text);
  const isKnown = gvk.group === registrationGroup || isPlainList(gvk);
  const schema = isKnown ? loadFacts().schema(gvk.group, gvk.version, gvk.kind) : undefined;
  if (schema === undefined) throw new ConfigurationError(notRegisteredText(gvk));
  return schema;
}
