import { atOnce, type Steps } from '#shared/apimachinery/slices/slices.ts';
import type { CallEstimate, EstimateContext, EstimateNode } from '#shared/cel/contract/estimate.ts';
import type { FunctionDeclaration } from '#shared/cel/contract/function-declaration.ts';
import type { Library } from '#shared/cel/contract/library.ts';
import { inSteps } from '#shared/cel/libraries/in-steps.ts';
import { costsOne, costsTraversal, estimatesOne, traversalBounds } from '#shared/cel/libraries/sizes.ts';
import { CelObject } from '#shared/cel/values/cel-type.ts';
import { boolType, listType, mapType, objectType, stringType, type CelType } from '#shared/cel/values/cel-type.ts';
import { ArrayList } from '#shared/cel/values/list.ts';
import { EntryMap } from '#shared/cel/values/map.ts';
import { CelError, type Value } from '#shared/cel/values/value.ts';
import {
  checkRequestUri,
  escapedPath,
  fromBytes,
  hostAndPort,
  parseUrl,
  printUrl,
  queryOf,
  UrlError,
  type Url,
} from './parse.ts';

export const urlType = objectType('kubernetes.URL');

export class CelUrl extends CelObject {
  readonly url: Url;

  constructor(url: Url) {
    super();
    this.url = url;
  }

  get type(): CelType {
    return urlType;
  }

  override get workSize(): number {
    const { rawPath, query = '', rawFragment } = this.url;
    return rawPath.length + query.length + rawFragment.length;
  }

  override *equalsInSteps(other: unknown): Steps<boolean | CelError> {
    return other instanceof CelUrl
      ? (yield* printUrl(this.url)) === (yield* printUrl(other.url))
      : new CelError('no such overload');
  }
}

function* urlFrom(text: string): Steps<Value> {
  try {
    return new CelUrl(yield* parseUrl(text));
  } catch (error) {
    if (error instanceof UrlError)
      return new CelError(`URL parse error during conversion from string: ${error.message}`);
    throw error;
  }
}

function isUrl(text: string): boolean {
  return requestUriError(text) === undefined;
}

/** The error of a text that is no URI with a scheme or absolute path; undefined if it is one. */
export function requestUriError(text: string): string | undefined {
  try {
    atOnce(checkRequestUri(text));
    return undefined;
  } catch (error) {
    if (error instanceof UrlError) return error.message;
    throw error;
  }
}

function accessor(name: string, id: string, read: (url: Url) => string): FunctionDeclaration {
  return {
    name,
    cost: costsOne,
    estimate: estimatesOne,
    overloads: [
      {
        id,
        member: true,
        parameters: [urlType],
        result: stringType,
        implementation: ({ url }: CelUrl) => fromBytes(read(url)),
      },
    ],
  };
}

function* getQuery({ url }: CelUrl): Steps<Value> {
  return EntryMap.of([...(yield* queryOf(url))].map(([key, values]) => [key, new ArrayList(values)] as const));
}

const functions: readonly FunctionDeclaration[] = [
  {
    name: 'url',
    cost: costsTraversal(),
    estimate: estimateParsing,
    overloads: [{ id: 'string_to_url', parameters: [stringType], result: urlType, ...inSteps(urlFrom) }],
  },
  accessor('getScheme', 'url_get_scheme', (url) => url.scheme),
  accessor('getHost', 'url_get_host', (url) => url.host),
  accessor('getHostname', 'url_get_hostname', (url) => hostAndPort(url)[0]),
  accessor('getPort', 'url_get_port', (url) => hostAndPort(url)[1]),
  {
    name: 'getEscapedPath',
    cost: costsOne,
    estimate: estimatesOne,
    overloads: [
      {
        id: 'url_get_escaped_path',
        member: true,
        parameters: [urlType],
        result: stringType,
        ...inSteps(function* ({ url }: CelUrl): Steps<Value> {
          return fromBytes(yield* escapedPath(url));
        }),
      },
    ],
  },
  {
    name: 'getQuery',
    cost: costsOne,
    estimate: estimatesOne,
    overloads: [
      {
        id: 'url_get_query',
        member: true,
        parameters: [urlType],
        result: mapType(stringType, listType(stringType)),
        ...inSteps(getQuery),
      },
    ],
  },
  {
    name: 'isURL',
    overloads: [{ id: 'is_url_string', parameters: [stringType], result: boolType, implementation: isUrl }],
  },
];

function estimateParsing(
  context: EstimateContext,
  _: EstimateNode | undefined,
  [text]: readonly EstimateNode[],
): CallEstimate | undefined {
  return text === undefined ? undefined : { cost: traversalBounds(context, text), resultSize: context.sizeOf(text) };
}

export const urlLibrary: Library = { name: 'kubernetes.urls', types: [urlType], functions };
