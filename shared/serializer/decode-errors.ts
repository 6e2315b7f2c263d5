import { newBadRequest, type StatusError } from '#shared/apimachinery/errors/status.ts';
import type { GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';

/** The error for a body that cannot be decoded. `gvk` is set if the type of the body was read. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  readonly gvk: GroupVersionKind | undefined;

  constructor(message: string, gvk: GroupVersionKind | undefined) {
    super(message);
    this.gvk = gvk;
  }
}

/** Source position of the reference's scheme, which its error texts show. */
export const schemeName = 'pkg/runtime/scheme.go:111';

/** `no kind "X" is registered for version "apps/v1" in scheme …`. */
export function notRegisteredText(gvk: GroupVersionKind): string {
  const version = gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`;
  return `no kind ${goQuote(gvk.kind)} is registered for version ${goQuote(version)} in scheme ${goQuote(schemeName)}`;
}

/** `no kind is registered for the type v1.X in scheme …`: for a type of version 1 that a scheme does not have. */
export function unregisteredTypeText(type: string): string {
  return `no kind is registered for the type v1.${type} in scheme ${goQuote(schemeName)}`;
}

const summaryBytes = 30;

/** The beginning of a body, as text when it may be JSON, else in hexadecimal. */
function summarize(body: Uint8Array): string {
  if (body.length === 0) return '<empty>';
  const start = Buffer.from(body.subarray(0, summaryBytes)).toString(body[0] === 0x7b ? 'utf8' : 'hex');
  return body.length > summaryBytes ? `${start} ...` : start;
}

/** The 400 of create and update for a body that cannot be decoded as `kind` (`transformDecodeError`). */
export function bodyError(error: DecodeError, kind: string, body: Uint8Array): StatusError {
  const { gvk } = error;
  if (gvk !== undefined && gvk.kind !== '') {
    return newBadRequest(
      `${gvk.kind} in version ${goQuote(gvk.version)} cannot be handled as a ${kind}: ${error.message}`,
    );
  }
  return newBadRequest(
    `the object provided is unrecognized (must be of type ${kind}): ${error.message} (${summarize(body)})`,
  );
}
