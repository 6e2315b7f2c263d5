import type { GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { decodeText } from '#shared/serializer/codec.ts';
import { DecodeError, notRegisteredText } from '#shared/serializer/decode-errors.ts';
import { jsonType, yamlType } from '#shared/serializer/negotiate.ts';
import { kindIn, schemaOfKind, type ConfigurationKind, type ConfigurationScheme } from './configuration-scheme.ts';

/** The error of a configuration file, in the reference's words. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  /** Whether the file names no kind of the scheme. */
  readonly isForeign: boolean;

  constructor(message: string, isForeign = false) {
    super(message);
    this.isForeign = isForeign;
  }
}

const unnamed: GroupVersionKind = { group: '', version: '', kind: '' };

/** Whether the first character that is no blank opens an object, which makes a text JSON rather than YAML. */
export function isJsonObject(bytes: Uint8Array): boolean {
  const blanks = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20]);
  return bytes.find((byte) => !blanks.has(byte)) === 0x7b;
}

/** A decoded file, with what strict decoding refuses in it. */
export interface DecodedConfiguration {
  readonly object: KubeObject;
  /** Unknown and repeated fields; empty where the scheme is not strict. */
  readonly strictErrors: readonly string[];
}

/**
 * Decodes a configuration file, JSON or YAML, by its kind, or by the default where it names none.
 * @throws ConfigurationError
 */
export function decodeConfiguration(
  scheme: ConfigurationScheme,
  bytes: Uint8Array,
  defaultGvk: GroupVersionKind = unnamed,
): KubeObject {
  const { object, strictErrors } = decodeLeniently(scheme, bytes, defaultGvk);
  if (strictErrors.length > 0) throw new ConfigurationError(strictErrorText(strictErrors));
  return object;
}

/**
 * As {@link decodeConfiguration}, but unknown and repeated fields end nothing.
 * @throws ConfigurationError
 */
export function decodeLeniently(
  scheme: ConfigurationScheme,
  bytes: Uint8Array,
  defaultGvk: GroupVersionKind = unnamed,
): DecodedConfiguration {
  try {
    return atOnce(
      decodeText(
        { schema: (group, version, kind) => findSchema(scheme, { group, version, kind }, bytes) },
        isJsonObject(bytes) ? jsonType : yamlType,
        bytes,
        { defaultGvk, fieldValidation: scheme.isStrict ? 'Strict' : 'Ignore' },
      ),
    );
  } catch (error) {
    throw error instanceof DecodeError ? new ConfigurationError(error.message) : error;
  }
}

export function strictErrorText(errors: readonly string[]): string {
  return `strict decoding error: ${errors.join(', ')}`;
}

function findSchema(
  scheme: ConfigurationScheme,
  gvk: GroupVersionKind,
  bytes: Uint8Array,
): ReturnType<typeof schemaOfKind> {
  requireNamed(gvk, bytes);
  const known = kindIn(scheme, gvk);
  if (known === undefined) throw new ConfigurationError(notRegisteredText(gvk), true);
  if (known.struct === undefined) throw new ConfigurationError(scheme.refusal?.(gvk) ?? otherKindText(scheme, known));
  return schemaOfKind(scheme, known.struct, gvk.version);
}

function otherKindText({ expected }: ConfigurationScheme, { goType, kind }: ConfigurationKind): string {
  const type = `*${goType ?? kind}`;
  return expected === undefined ? `unexpected type: ${type}` : `expected ${expected}, got ${type}`;
}

/** @throws ConfigurationError if the text names no kind or no version */
export function requireNamed({ kind, version }: GroupVersionKind, bytes: Uint8Array): void {
  const missing = kind === '' ? 'Kind' : version === '' ? 'apiVersion' : undefined;
  if (missing === undefined) return;
  throw new ConfigurationError(`Object '${missing}' is missing in '${Buffer.from(bytes).toString('utf8')}'`, true);
}
