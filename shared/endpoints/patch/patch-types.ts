import type { RequestContext } from '#shared/request/request-context.ts';
import { cborType, type MediaType } from '#shared/serializer/negotiate.ts';

const applyType = 'application/apply-patch+yaml';
export const applyCborType = 'application/apply-patch+cbor';
const strategicType = 'application/strategic-merge-patch+json';
const builtinPatchTypes: readonly string[] = [
  'application/json-patch+json',
  'application/merge-patch+json',
  strategicType,
  applyType,
];

/** The media types of a PATCH of a built-in resource, where objects have the given media types. */
export function patchTypes(mediaTypes: readonly MediaType[]): readonly string[] {
  return mediaTypes.includes(cborType) ? [...builtinPatchTypes, applyCborType] : builtinPatchTypes;
}

/** The media types of a PATCH of a custom resource: no strategic patch, which needs a Go type. */
export function customPatchTypes(mediaTypes: readonly MediaType[]): readonly string[] {
  return patchTypes(mediaTypes).filter((type) => type !== strategicType);
}

/** Whether a media type is that of a server-side apply. */
export function isApplyType(type: string): boolean {
  return type === applyType || type === applyCborType;
}

/** The media type of a patch, without parameters. */
export function patchTypeOf(context: RequestContext): string {
  return String(context.exchange.headers['content-type'] ?? '').split(';')[0] ?? '';
}
