import {
  newGenericServerResponse,
  newNotAcceptable,
  newUnsupportedMediaType,
  type StatusError,
} from '#shared/apimachinery/errors/status.ts';
import { textOfBytes } from '#shared/apimachinery/text/byte-text.ts';
import { parseBool } from '#shared/apimachinery/text/parse-bool.ts';
import { goSpace, trimSpace } from '#shared/apimachinery/text/trim-space.ts';
import { parseAccept, trimSpaces, type AcceptClause } from './accept.ts';

export const jsonType = 'application/json';
export const yamlType = 'application/yaml';
export const protobufType = 'application/vnd.kubernetes.protobuf';
export const cborType = 'application/cbor';
/** A sequence of CBOR data items (RFC 8742), the media type of a watch. */
const cborSequenceType = 'application/cbor-seq';

export type MediaType = typeof jsonType | typeof yamlType | typeof protobufType | typeof cborType;

/** The media types of built-in resources; a `*` selects the first. */
export const builtinMediaTypes: readonly MediaType[] = [jsonType, yamlType, protobufType];
export const mediaTypesWithCbor: readonly MediaType[] = [...builtinMediaTypes, cborType];

/** The media types of built-in resources, with or without the feature gate CBORServingAndStorage. */
export function offeredMediaTypes(cbor: boolean): readonly MediaType[] {
  return cbor ? mediaTypesWithCbor : builtinMediaTypes;
}

/** The media types that can be streamed (watch). */
const streamable: ReadonlySet<string> = new Set([jsonType, protobufType, cborType]);

/** The Content-Type of a watch. For JSON it has no parameter, unlike the name in lists of streaming types. */
export function streamContentType(mediaType: MediaType): string {
  return mediaType === jsonType ? jsonType : streamName(mediaType);
}

function streamName(mediaType: MediaType): string {
  return mediaType === cborType ? cborSequenceType : `${mediaType};stream=watch`;
}

export type TransformKind = 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';

/** The form that a client requests by `as=…;g=meta.k8s.io;v=v1`. */
export interface ResponseTransform {
  readonly kind: TransformKind;
  readonly group: 'meta.k8s.io';
  readonly version: 'v1' | 'v1beta1';
}

/** Forms, besides the object itself, that an endpoint can return. A Table is JSON or YAML. */
export interface AllowedTransforms {
  readonly table: boolean;
  readonly metadata: boolean;
  /** Media types for the object itself; default: all that are available (custom resources have no protobuf). */
  readonly plain?: readonly MediaType[];
}

export const noTransforms: AllowedTransforms = { table: false, metadata: false };
export const allTransforms: AllowedTransforms = { table: true, metadata: true };
/** For kinds without columns: reviews, bindings, most subresources. */
export const metadataTransforms: AllowedTransforms = { table: false, metadata: true };
/** The forms of custom resources. */
export const customTransforms: AllowedTransforms = {
  table: true,
  metadata: true,
  plain: [jsonType, yamlType, cborType],
};

export interface Negotiated {
  readonly mediaType: MediaType;
  readonly transform: ResponseTransform | undefined;
  /** `pretty=1` in the media type; see {@link isPrettyRequest} for the other ways to request it. */
  readonly pretty: boolean;
  /** Whether the media type has `stream=watch`. */
  readonly stream: boolean;
  /** The `profile` parameter; empty when not given. */
  readonly profile: string;
}

function transformOf(
  params: ReadonlyMap<string, string>,
): { kind: string; group: string; version: string } | undefined {
  if (!params.has('as') && !params.has('g') && !params.has('v')) return undefined;
  return { kind: params.get('as') ?? '', group: params.get('g') ?? '', version: params.get('v') ?? '' };
}

function isAllowed(
  target: { kind: string; group: string; version: string },
  mediaType: MediaType,
  allowed: AllowedTransforms,
): target is ResponseTransform {
  if (target.group !== 'meta.k8s.io' || (target.version !== 'v1' && target.version !== 'v1beta1')) return false;
  if (target.kind === 'Table') return allowed.table && (mediaType === jsonType || mediaType === yamlType);
  return allowed.metadata && (target.kind === 'PartialObjectMetadata' || target.kind === 'PartialObjectMetadataList');
}

/** The result of a clause for one media type; undefined where a parameter excludes it. */
function acceptWith(clause: AcceptClause, mediaType: MediaType, allowed: AllowedTransforms): Negotiated | undefined {
  const { params } = clause;
  const stream = params.get('stream') ?? '';
  if (stream !== '' && (stream !== 'watch' || !streamable.has(mediaType))) return undefined;
  if ((params.get('sv') ?? '') !== '') return undefined;
  const target = transformOf(params);
  if (target === undefined && allowed.plain?.includes(mediaType) === false) return undefined;
  if (target !== undefined && !isAllowed(target, mediaType, allowed)) return undefined;
  return {
    mediaType,
    transform: target,
    pretty: params.get('pretty') === '1',
    stream: stream !== '',
    profile: params.get('profile') ?? '',
  };
}

function matches(clause: AcceptClause, mediaType: MediaType): boolean {
  const [type, subtype] = mediaType.split('/');
  if (clause.type === '*') return clause.subtype === '*';
  return clause.type === type && (clause.subtype === subtype || clause.subtype === '*');
}

/** The media types that an endpoint advertises: plain ones, and their streaming variants if it serves watches. */
export function representations(available: readonly MediaType[], withStreams: boolean): string[] {
  return withStreams
    ? [...available, ...available.filter((type) => streamable.has(type)).map(streamName)]
    : [...available];
}

/** Recent results by header: clients send few different headers, and each many times. */
type Remembered = Map<string, Negotiated | undefined>;
const remembered = new WeakMap<readonly MediaType[], WeakMap<AllowedTransforms, Remembered>>();
const maxRemembered = 256;

function rememberedOf(available: readonly MediaType[], allowed: AllowedTransforms): Remembered {
  let byAllowed = remembered.get(available);
  if (byAllowed === undefined) remembered.set(available, (byAllowed = new WeakMap()));
  let byHeader = byAllowed.get(allowed);
  if (byHeader === undefined) byAllowed.set(allowed, (byHeader = new Map()));
  return byHeader;
}

function find(accept: string, available: readonly MediaType[], allowed: AllowedTransforms): Negotiated | undefined {
  for (const clause of parseAccept(accept)) {
    for (const mediaType of available) {
      const found = matches(clause, mediaType) ? acceptWith(clause, mediaType, allowed) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** The form that a request is given, from the available ones; undefined where it accepts none of them. */
function negotiated(
  accept: string | undefined,
  available: readonly MediaType[],
  allowed: AllowedTransforms,
): Negotiated | undefined {
  const [first = jsonType] = available;
  if (accept === undefined || accept === '')
    return { mediaType: first, transform: undefined, pretty: false, stream: false, profile: '' };
  const byHeader = rememberedOf(available, allowed);
  const known = byHeader.get(accept);
  if (known !== undefined || byHeader.has(accept)) return known;
  const found = find(accept, available, allowed);
  if (byHeader.size >= maxRemembered) byHeader.clear();
  if (accept.length < 1024) byHeader.set(accept, found);
  return found;
}

/**
 * Negotiates the form of the response by the Accept header (apiserver's endpoints/handlers/negotiation).
 * @throws StatusError 406 that lists the available media types
 */
export function negotiateOutput(
  accept: string | undefined,
  available: readonly MediaType[] = builtinMediaTypes,
  allowed: AllowedTransforms = noTransforms,
): Negotiated {
  const found = negotiated(accept, available, allowed);
  if (found === undefined) throw newNotAcceptable(available);
  return found;
}

/**
 * Negotiates the form of the events of a watch, as {@link negotiateOutput} does. {@link checkStreamable} checks whether
 * it can be streamed.
 * @throws StatusError 406 that lists the streaming types
 */
export function negotiateStream(
  accept: string | undefined,
  available: readonly MediaType[] = builtinMediaTypes,
  allowed: AllowedTransforms = noTransforms,
): Negotiated {
  const found = negotiated(accept, available, allowed);
  if (found === undefined) throw notStreamable(available);
  return found;
}

/** @throws StatusError 406 for a media type that cannot be streamed (YAML), which the reference checks last */
export function checkStreamable({ mediaType }: Negotiated, available: readonly MediaType[] = builtinMediaTypes): void {
  if (!streamable.has(mediaType)) throw notStreamable(available);
}

function notStreamable(available: readonly MediaType[]): StatusError {
  return newNotAcceptable(available.filter((type) => streamable.has(type)).map(streamName));
}

/**
 * The router's own check of Accept, before any handler: a clause must name one of the representations, parameters
 * ignored; `application/*` names none.
 * @throws StatusError 406 `406: Not Acceptable\n\nAvailable representations: …`
 */
export function checkRepresentations(accept: string | undefined, produces: readonly string[]): void {
  if (accept === undefined || accept === '' || accept === '*/*' || (accept === jsonType && produces[0] === jsonType))
    return;
  for (const part of accept.split(',')) {
    const semicolon = part.indexOf(';');
    const type = trimSpaces(semicolon === -1 ? part : part.slice(0, semicolon));
    if (type === '*/*' || produces.some((produced) => produced === '*/*' || produced === type)) return;
  }
  const message = `406: Not Acceptable\n\nAvailable representations: ${produces.join(', ')}`;
  throw newGenericServerResponse(406, message);
}

/**
 * Whether the response is to be indented: as `?pretty=` says (a value that is no boolean counts as false), otherwise
 * for browsers, curl and wget.
 */
export function isPrettyRequest(prettyParameter: string | null | undefined, userAgent: string | undefined): boolean {
  if (prettyParameter !== null && prettyParameter !== undefined && prettyParameter !== '')
    return parseBool(prettyParameter) === true;
  return (
    userAgent !== undefined &&
    (userAgent.startsWith('curl') || userAgent.startsWith('Wget') || userAgent.startsWith('Mozilla/5.0'))
  );
}

const mediaTypeForm = /^[!#$%&'*+\-.^_`|~0-9a-z]+\/[!#$%&'*+\-.^_`|~0-9a-z]+$/;

/**
 * The media type of a body by its Content-Type; without a Content-Type, the first available one.
 * @throws StatusError 415 that lists the accepted types
 */
export function negotiateInput(
  contentType: string | undefined,
  available: readonly MediaType[] = builtinMediaTypes,
): MediaType {
  const [first = jsonType] = available;
  if (contentType === undefined || contentType === '') return first;
  for (const mediaType of available) if (mediaType === contentType) return mediaType;
  const sent = textOfBytes(contentType);
  const semicolon = sent.indexOf(';');
  const type = trimSpace(semicolon < 0 ? sent : sent.slice(0, semicolon)).toLowerCase();
  const found =
    mediaTypeForm.test(type) && (semicolon < 0 || hasGoodParameters(sent.slice(semicolon)))
      ? available.find((candidate) => candidate === type)
      : undefined;
  if (found === undefined) throw newUnsupportedMediaType(available);
  return found;
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const quoted = String.raw`"(?:\\[^\r\n]|[^"\\\r\n])*"`;
const parameter = new RegExp(`${goSpace}*;${goSpace}*(${token})${goSpace}*=${goSpace}*(${token}|${quoted})`, 'y');

/**
 * Whether all parameters are valid: Go's mime.ParseMediaType refuses a parameter that is not `name=value`, and one that
 * stands twice with different values, but accepts a trailing semicolon.
 */
function hasGoodParameters(text: string): boolean {
  const values = new Map<string, string>();
  let end = 0;
  parameter.lastIndex = 0;
  for (let found = parameter.exec(text); found !== null; found = parameter.exec(text)) {
    end = parameter.lastIndex;
    const [, name = '', value = ''] = found;
    const key = name.toLowerCase();
    const plain = value.startsWith('"') ? value.slice(1, -1).replace(/\\([()<>@,;:\\"/[\]?=])/g, '$1') : value;
    if ((values.get(key) ?? plain) !== plain) return false;
    values.set(key, plain);
  }
  // A pattern with spaces on both sides of the semicolon would take time in proportion to their square.
  const rest = trimSpace(text.slice(end));
  return rest === '' || rest === ';';
}
