import { parseFieldSelector, requiredFieldValue } from '#shared/apimachinery/selectors/fields.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { nameIsPathSegment } from '#shared/apimachinery/validation/names.ts';
import { readQuery, type QueryParameters } from './query-parameters.ts';
import type { RequestInfo } from './request-info.ts';
import { decodePath } from './request-path.ts';

/** The parts of a request that determine its {@link RequestInfo}; {@link Exchange} has them all. */
export interface RequestTarget {
  readonly method: string;
  readonly path: string;
  readonly query: string;
}

const verbsWithSelectors = new Set(['list', 'watch', 'deletecollection']);

const verbOfMethod: ReadonlyMap<string, string> = new Map([
  ['POST', 'create'],
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

/** Filled in step by step; the query is parsed only when it is read. */
class ParsedRequestInfo implements RequestInfo {
  isResourceRequest = false;
  readonly path: string;
  verb: string;
  apiPrefix = '';
  apiGroup = '';
  apiVersion = '';
  namespace = '';
  pathVerb = '';
  belowNamespace = false;
  resource = '';
  subresource = '';
  name = '';
  parts: readonly string[] = [];
  fieldSelector = '';
  labelSelector = '';
  readonly #queryText: string;
  #query: QueryParameters | undefined;

  constructor(path: string, verb: string, query: string) {
    this.path = path;
    this.verb = verb;
    this.#queryText = query;
  }

  get query(): QueryParameters {
    return (this.#query ??= readQuery(this.#queryText));
  }

  /** First value of a query key; empty if there is none. Parses the query only if there is one. */
  first(key: string): string {
    return this.#queryText === '' ? '' : (this.query.get(key) ?? '');
  }
}

/** A path of the API that names no resource. The message is that of the reference, without the path. */
export class RequestInfoError extends Error {
  override readonly name = 'RequestInfoError';
}

/**
 * Reads a request as apiserver's RequestInfoFactory does (pkg/endpoints/request/requestinfo.go).
 * @throws MalformedPathError for a path with broken percent-encoding, RequestInfoError for a verb in the path
 *   without a resource
 */
export function parseRequestInfo(target: RequestTarget): RequestInfo {
  const path = decodePath(target.path);
  const info = new ParsedRequestInfo(path, target.method.toLowerCase(), target.query);
  const parts = splitPath(path);
  if (parts.length < 3 || (parts[0] !== 'api' && parts[0] !== 'apis')) return info;
  info.apiPrefix = parts[0];
  let at = 1;
  if (parts[0] === 'apis') {
    if (parts.length < 4) return info;
    info.apiGroup = parts[at++] ?? '';
  }
  info.isResourceRequest = true;
  info.apiVersion = parts[at++] ?? '';
  readResource(info, target, parts, at);
  return info;
}

/** @param start of the parts behind the group version */
function readResource(info: ParsedRequestInfo, target: RequestTarget, all: readonly string[], start: number): void {
  let at = start;
  const verbInPath = isPathVerb(all[at]);
  if (verbInPath) {
    if (all.length < at + 2) throw new RequestInfoError('unable to determine kind and namespace from url');
    info.pathVerb = all[at] ?? '';
    info.verb = info.pathVerb;
    at++;
  } else info.verb = verbOfMethod.get(target.method) ?? '';

  if (all[at] === 'namespaces' && all.length > at + 1) {
    info.namespace = all[at + 1] ?? '';
    if (all.length > at + 2 && !isNamespaceSubresource(all[at + 2])) {
      info.belowNamespace = true;
      at += 2;
    }
  }
  const parts = all.slice(at);
  info.parts = parts;
  info.resource = parts[0] ?? '';
  info.name = parts[1] ?? '';
  if (parts.length >= 3 && info.verb !== 'proxy') info.subresource = parts[2] ?? '';
  if (info.name === '') refineCollectionVerb(info);
  if (!verbInPath && verbsWithSelectors.has(info.verb)) {
    info.fieldSelector = info.first('fieldSelector');
    info.labelSelector = info.first('labelSelector');
  }
}

// Comparing a part of a path costs less than a look-up, for which V8 has to hash it.

function isPathVerb(part: string | undefined): boolean {
  return part === 'proxy' || part === 'watch';
}

function isNamespaceSubresource(part: string | undefined): boolean {
  return part === 'status' || part === 'finalize';
}

/** Without a name, a get becomes a list or a watch, and a delete a deletecollection. */
function refineCollectionVerb(info: ParsedRequestInfo): void {
  if (info.verb === 'delete') info.verb = 'deletecollection';
  if (info.verb !== 'get') return;
  info.verb = isTrueParameter(info.query.get('watch')) ? 'watch' : 'list';
  const selector = info.first('fieldSelector');
  if (selector !== '') info.name = selectedName(selector);
}

/** The name that a field selector selects; such a list or watch is authorized for this name. */
function selectedName(text: string): string {
  try {
    const name = requiredFieldValue(atOnce(parseFieldSelector(text)), 'metadata.name') ?? '';
    return nameIsPathSegment(name, false).length === 0 ? name : '';
  } catch {
    return '';
  }
}

/** Boolean query parameters: any value is true except `0` and `false` (apimachinery Convert_Slice_string_To_bool). */
export function isTrueParameter(value: string | null): boolean {
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}

const slash = 0x2f;

function splitPath(path: string): string[] {
  let start = 0;
  let end = path.length;
  while (start < end && path.charCodeAt(start) === slash) start++;
  while (end > start && path.charCodeAt(end - 1) === slash) end--;
  const parts: string[] = [];
  while (start < end) {
    let next = path.indexOf('/', start);
    if (next < 0 || next > end) next = end;
    parts.push(path.slice(start, next));
    start = next + 1;
  }
  return parts;
}
