import { newNotAcceptable } from '#shared/apimachinery/errors/status.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { textBody } from '#shared/endpoints/forms/text-pieces.ts';
import { isPretty } from '#shared/endpoints/responders/write-error.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { parseAccept, type AcceptClause } from '#shared/serializer/accept.ts';
import { cborType, jsonType, yamlType, type MediaType } from '#shared/serializer/negotiate.ts';

/** Information about a server, as text for people and as an object for programs (KEP-4827, KEP-4828). */
export interface ComponentPage {
  /** `Statusz` or `Flagz`; the path is the kind in lower case. */
  readonly kind: string;
  /** The members of the object beside its kind and name. */
  readonly content: JsonObject;
  readonly lines: readonly string[];
}

const component = 'apiserver';
/** As the reference words it, whose tests look for it. */
const warning = [
  'Warning: This endpoint is not meant to be machine parseable',
  'has no formatting compatibility guarantees and is for debugging purposes only.',
].join(', ');
const group = 'config.k8s.io';
const versions: readonly string[] = ['v1beta1', 'v1alpha1'];
const deprecated = 'v1alpha1';
const textType = 'text/plain';

interface Structured {
  readonly mediaType: MediaType;
  readonly version: string;
  readonly pretty: boolean;
}

/**
 * Answers with the page in the form that the client accepts.
 * @throws StatusError 406 if it accepts no form: an object must be requested by group, version and kind
 */
export function sendComponentPage(
  context: RequestContext,
  { kind, content, lines }: ComponentPage,
  withCbor: boolean,
): void {
  const { exchange } = context;
  const name = kind.toLowerCase();
  const counted = { group: '', version: '', resource: name, subresource: '', component };
  context.countedAs = counted;
  const form = formOf(String(exchange.headers['accept'] ?? ''), kind, withCbor);
  if (form === undefined) {
    exchange.send(
      200,
      { 'content-type': `${textType}; charset=utf-8` },
      `\n${component} ${name}\n${warning}\n${lines.join('\n')}\n`,
    );
    return;
  }
  const { mediaType, version, pretty } = form;
  context.countedAs = { ...counted, group, version };
  if (version === deprecated)
    context.addWarning(`This version of the ${name} endpoint is deprecated. Please use a newer version.`);
  const json = Buffer.from(
    JSON.stringify({ kind, apiVersion: `${group}/${version}`, metadata: { name: component }, ...content }),
  );
  exchange.send(
    200,
    { 'content-type': `${mediaType};g=${group};v=${version};as=${kind}` },
    textBody(json, mediaType, pretty || isPretty(context)),
  );
}

/** The form of the object that the client requests; undefined for the text. */
function formOf(accept: string, kind: string, withCbor: boolean): Structured | undefined {
  if (accept.trim() === '') return undefined;
  const structured: readonly MediaType[] = withCbor ? [jsonType, yamlType, cborType] : [jsonType, yamlType];
  for (const clause of parseAccept(accept)) {
    const { params } = clause;
    if (params.has('sv') || params.has('stream')) continue;
    const version = params.get('v') ?? '';
    const named = params.get('as') === kind && params.get('g') === group && versions.includes(version);
    const mediaType = named ? structured.find((type) => covers(clause, type)) : undefined;
    if (mediaType !== undefined) return { mediaType, version, pretty: params.get('pretty') === '1' };
    if (!['as', 'g', 'v'].some((name) => params.has(name)) && covers(clause, textType)) return undefined;
  }
  throw newNotAcceptable([jsonType, yamlType, textType, ...(withCbor ? [cborType] : [])]);
}

function covers(clause: AcceptClause, mediaType: string): boolean {
  const [type, subtype] = mediaType.split('/');
  return clause.type === '*' || (clause.type === type && (clause.subtype === subtype || clause.subtype === '*'));
}
