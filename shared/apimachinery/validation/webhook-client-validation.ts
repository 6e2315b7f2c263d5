import { invalid, required, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, stringAt } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { isDNS1123Subdomain, isValidPortNumber } from './names.ts';

const form = '; desired format: https://host[/path]';

/** Validates the address of a webhook: either `url` or `service`, not both (apiserver/pkg/util/webhook). */
export function validateWebhookClient(client: JsonObject | undefined, field: Path): FieldError[] {
  const url = client?.['url'];
  const service = objectAt(client, 'service');
  if ((typeof url === 'string') === (service !== undefined))
    return [required(field, 'exactly one of url or service is required')];
  return typeof url === 'string'
    ? validateUrl(url, field.child('url'))
    : validateService(service ?? {}, field.child('service'));
}

function validateUrl(text: string, field: Path): FieldError[] {
  const broken = urlFault(text);
  if (broken !== undefined)
    return [required(field, `url must be a valid URL: parse ${goQuote(text)}: ${broken}${form}`)];
  const [beforeFragment = '', fragment = ''] = splitOnce(text, '#');
  const [beforeQuery = '', query = ''] = splitOnce(beforeFragment, '?');
  const [, scheme = '', rest = ''] = /^(?:([a-z][a-z0-9+.-]*):)?(.*)$/is.exec(beforeQuery) ?? [];
  const authority = rest.startsWith('//') ? (rest.slice(2).split('/', 1)[0] ?? '') : '';
  const [host, user] = authority.includes('@') ? splitLast(authority, '@') : [authority, undefined];
  return [
    ...(scheme.toLowerCase() === 'https'
      ? []
      : [invalid(field, scheme.toLowerCase(), `'https' is the only allowed URL scheme${form}`)]),
    ...(host === '' ? [invalid(field, host, `host must be specified${form}`)] : []),
    ...(user === undefined ? [] : [invalid(field, user, 'user information is not permitted in the URL')]),
    ...(fragment === '' ? [] : [invalid(field, fragment, 'fragments are not permitted in the URL')]),
    ...(query === '' ? [] : [invalid(field, query, 'query parameters are not permitted in the URL')]),
  ];
}

/** The error of Go's net/url for a URL with one of the likely mistakes; undefined for others. */
export function urlFault(text: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- the pattern looks for control characters
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'net/url: invalid control character in URL';
  if (text.startsWith(':')) return 'missing protocol scheme';
  if (!/^([a-z][a-z0-9+.-]*:|[/?#])/i.test(text) && /^[^/?#]*:/.test(text))
    return 'first path segment in URL cannot contain colon';
  const escape = /%(?![0-9a-fA-F]{2})(.{0,2})/s.exec(text);
  if (escape !== null) return `invalid URL escape ${goQuote(`%${escape[1] ?? ''}`)}`;
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?([^/?#]*)/i.exec(text)?.[1];
  return host === undefined ? undefined : unreadableHost(host);
}

/** The error of Go's URL parser for a host with its port; undefined for a valid one. */
function unreadableHost(host: string): string | undefined {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) return 'invalid IP-literal';
  const end = host.lastIndexOf(']');
  if (bracket === 0 && end < 0) return "missing ']' in host";
  const port = bracket === 0 ? host.slice(end + 1) : (/:.*$/s.exec(host)?.[0] ?? '');
  if (port !== '' && !/^:\d*$/.test(port)) return `invalid port ${goQuote(port)} after host`;
  // A host may contain neither escaped ASCII characters nor ASCII characters that would have to be escaped.
  const escape = /%(?!25)[0-7][0-9a-fA-F]/.exec(host);
  if (escape !== null) return `invalid URL escape ${goQuote(escape[0])}`;
  const odd = /[ \\^`{|}]/.exec(host);
  return odd === null ? undefined : `invalid character ${goQuote(odd[0])} in host name`;
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** The text after the last separator, and the text before it. */
function splitLast(text: string, separator: string): [string, string] {
  const at = text.lastIndexOf(separator);
  return [text.slice(at + 1), text.slice(0, at)];
}

/** Validates name and namespace with their roles swapped, as the reference passes them in the wrong order. */
function validateService(service: JsonObject, field: Path): FieldError[] {
  const port = numberAt(service, 'port') ?? 0;
  const wrongPort = isValidPortNumber(port);
  const errors: FieldError[] = [
    ...(stringAt(service, 'namespace') === '' ? [required(field.child('name'), '')] : []),
    ...(stringAt(service, 'name') === '' ? [required(field.child('namespace'), '')] : []),
    ...(wrongPort.length > 0 ? [invalid(field.child('port'), port, `port is not valid: ${wrongPort.join(', ')}`)] : []),
  ];
  const path = service['path'];
  return typeof path === 'string' ? [...errors, ...validatePath(path, field.child('path'))] : errors;
}

function validatePath(path: string, field: Path): FieldError[] {
  if (path === '/' || path === '') return [];
  if (path === '//') return [invalid(field, path, 'segment[0] may not be empty')];
  return [
    ...(path.startsWith('/') ? [] : [invalid(field, path, "must start with a '/'")]),
    // Go removes the first byte, not the first character.
    ...Buffer.from(path)
      .subarray(1)
      .toString('latin1')
      .replace(/\/$/, '')
      .split('/')
      .flatMap((step, index) => {
        if (step === '') return [invalid(field, path, `segment[${index}] may not be empty`)];
        return isDNS1123Subdomain(step).map((message) => invalid(field, path, `segment[${index}]: ${message}`));
      }),
  ];
}
