import { loadFacts } from '#shared/api/load-facts.ts';
import { formatFieldSelector, parseFieldSelector, type FieldSelector } from '#shared/apimachinery/selectors/fields.ts';
import { formatLabelSelector, parseLabelSelector } from '#shared/apimachinery/selectors/labels.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { canonicalDuration } from '#shared/apimachinery/values/duration.ts';
import { canonicalQuantity } from '#shared/apimachinery/values/quantity.ts';
import { canonicalMicroTime, canonicalTime } from '#shared/apimachinery/values/time.ts';
import { parseDeleteOptions } from '#shared/endpoints/options/delete-options.ts';
import { parseListOptions } from '#shared/endpoints/options/list-options.ts';
import { parseWriteOptions } from '#shared/endpoints/options/write-options.ts';
import { decodeContinue } from '#shared/endpoints/request/continue-token.ts';
import { parseListVersion, parseResourceVersion } from '#shared/endpoints/request/resource-version.ts';
import { parseRequestInfo } from '#shared/request/parse-request-info.ts';
import { parseAccept } from '#shared/serializer/accept.ts';
import { allTransforms, builtinMediaTypes, negotiateInput, negotiateOutput } from '#shared/serializer/negotiate.ts';
import { promise } from './fuzz-target.ts';
import type { FuzzTarget } from './fuzz-target.ts';

const facts = loadFacts();
const pods = facts.resource('', 'v1', 'pods');
if (pods === undefined) throw new Error('there are no facts of pods');

/** The canonical form is its own canonical form. */
function canonical(convert: (text: string) => string | null): (bytes: Buffer) => void {
  return (bytes) => {
    const once = convert(bytes.toString());
    if (once !== null) promise(convert(once) === once, `${once} becomes ${convert(once) ?? 'nothing'}`);
  };
}

function readsBack<T>(parse: (text: string) => T, format: (value: T) => string): (bytes: Buffer) => void {
  return (bytes) => {
    const once = format(parse(bytes.toString()));
    promise(format(parse(once)) === once, `${once} is read as ${format(parse(once))}`);
  };
}

/**
 * Terms are ordered as they were written, and `==` is written as `=`: the reference's text may need a second reading
 * too.
 */
function inOrder(selector: FieldSelector): string {
  return selector
    .map((term) => formatFieldSelector([term]))
    .sort()
    .join(',');
}

const queryTokens = [
  '&',
  '=',
  '%',
  '%00',
  '%ff',
  '%2f',
  ';',
  '+',
  'limit=',
  'continue=',
  'labelSelector=',
  'fieldSelector=',
  'metadata.name=',
  'watch=1',
  'timeoutSeconds=',
  'resourceVersionMatch=Exact',
  '9223372036854775808',
  '-1',
  '__proto__=',
  'dryRun=All',
  'fieldManager=',
  'fieldValidation=Strict',
  'propagationPolicy=',
  'sendInitialEvents=true',
];
const querySamples = [
  'watch=1&labelSelector=a%3Db&fieldSelector=metadata.name%3Dx&limit=5&timeoutSeconds=3',
  'dryRun=All&fieldManager=m&fieldValidation=Warn&force=true',
  'gracePeriodSeconds=0&propagationPolicy=Orphan&orphanDependents=true',
  'resourceVersion=5&resourceVersionMatch=NotOlderThan&sendInitialEvents=1&allowWatchBookmarks=yes&continue=abc',
];

/** Texts in the address, in headers and in fields. */
export const textTargets: readonly FuzzTarget[] = [
  {
    name: 'label-selector',
    refusals: ['SelectorError'],
    run: readsBack((text) => atOnce(parseLabelSelector(text)), formatLabelSelector),
    samples: ['a=b,c!=d,e in (f,g),h notin (i),j,!k,l>1,m<2', 'x.io/y==z'],
    tokens: ['in', 'notin', '(', ')', ',', '=', '!=', '==', '!', '>', '<', ' ', '/', '', '\xff', 'a'.repeat(64)],
  },
  {
    name: 'field-selector',
    refusals: ['SelectorError', 'Error'],
    run: readsBack((text) => atOnce(parseFieldSelector(text)), inOrder),
    samples: ['metadata.name=a,spec.nodeName!=b', 'a=b\\,c\\=d\\\\'],
    tokens: [',', '=', '==', '!=', '\\', '\\,', '!', ' '],
  },
  {
    name: 'quantity',
    refusals: ['QuantityError'],
    run: canonical(canonicalQuantity),
    samples: ['100m', '1.5Gi', '-0.000000001', '12e6', '1E', '1E5', '+9223372036854775807Ei'],
    tokens: ['0', '9', '.', 'e', 'E', '-', '+', 'Ki', 'n', 'u', '00000000', '99999999999'],
  },
  {
    name: 'time',
    refusals: ['TimeError'],
    run: canonical(canonicalTime),
    samples: ['2020-02-29T23:59:59Z', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59.999999999-23:59'],
    tokens: ['0', '9', 'T', 'Z', ':', '-', '+', '.', ',', ' '],
  },
  {
    name: 'micro-time',
    refusals: ['TimeError'],
    run: canonical(canonicalMicroTime),
    samples: ['2020-02-29T23:59:59.123456Z', '1969-12-31T23:59:59.999999Z'],
    tokens: ['0', '9', 'T', 'Z', ':', '-', '+', '.', ','],
  },
  {
    name: 'duration',
    refusals: ['DurationError'],
    run: canonical(canonicalDuration),
    samples: ['1h2m3.5s', '-1.5ms', '9223372036854775807ns', '3µs'],
    tokens: ['h', 'm', 's', 'ns', 'µs', '.', '-', '9', '0'],
  },
  {
    name: 'resource-version',
    refusals: ['StatusError', 'Error'],
    run: (bytes) =>
      void (bytes.length % 2 === 0 ? parseListVersion(bytes.toString()) : parseResourceVersion(bytes.toString())),
    samples: ['0', '1', '18446744073709551615'],
    tokens: ['0', '9', '-', 'a', ' ', 'x'],
  },
  {
    name: 'continue-token',
    refusals: ['StatusError'],
    run: (bytes) => promise(!decodeContinue(bytes.toString()).startKey.split('/').includes('..'), 'the key climbs'),
    samples: [
      { v: 'meta.k8s.io/v1', rv: 5, start: 'a/b\0' },
      { v: 'meta.k8s.io/v1', rv: -1, start: '../x' },
    ].map((token) => Buffer.from(JSON.stringify(token)).toString('base64url')),
    tokens: ['A', '=', '-', '_', '/', '+', '\n', 'Li4v', 'ey'],
  },
  {
    name: 'list-options',
    refusals: ['StatusError'],
    samples: querySamples,
    tokens: queryTokens,
    run: (bytes) =>
      void atOnce(parseListOptions(pods, new URLSearchParams(bytes.toString()), bytes.length % 5 === 0, false)),
  },
  {
    name: 'write-options',
    refusals: ['StatusError'],
    samples: querySamples,
    tokens: queryTokens,
    run: (bytes) =>
      void parseWriteOptions(
        (['CreateOptions', 'UpdateOptions', 'PatchOptions'] as const)[bytes.length % 3] ?? 'PatchOptions',
        new URLSearchParams(bytes.toString()),
        bytes.length % 2 === 0,
      ),
  },
  {
    name: 'delete-options',
    refusals: ['StatusError'],
    tokens: [
      '{',
      '}',
      '"',
      ':',
      '"preconditions":',
      '"gracePeriodSeconds":',
      '"dryRun":["All"]',
      '"kind":"Pod"',
      'null',
      '-1',
      '"__proto__":{}',
      '1e30',
    ],
    samples: [
      '{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":5,"preconditions":{"uid":"u","resourceVersion":"1"},"propagationPolicy":"Foreground","dryRun":["All"]}',
      '{}',
      '',
    ],
    run: (bytes) =>
      void parseDeleteOptions(
        facts,
        { contentType: ['application/json', undefined, 'application/yaml'][bytes.length % 3], bytes },
        new URLSearchParams(querySamples[bytes.length % 4]),
      ),
  },
  {
    name: 'request-path',
    refusals: ['StatusError', 'RequestInfoError', 'MalformedPathError'],
    samples: [
      '/api/v1/namespaces/a/pods/b/log',
      '/apis/apps/v1/watch/deployments',
      '/api/v1/namespaces/a/services/https:b:c/proxy/d//e?x',
      '/api/v1/pods?fieldSelector=metadata.name%3Da',
    ],
    tokens: ['/', '..', '%2f', '%2e', '%00', '//', '%', '?', 'watch', 'proxy', 'namespaces', '\xff', '%ff', ';', '#'],
    run: (bytes) => {
      const [path = '', query = ''] = bytes.toString().split('?', 2);
      parseRequestInfo({ method: ['GET', 'POST', 'DELETE', 'PATCH'][bytes.length % 4] ?? 'GET', path, query });
    },
  },
  {
    name: 'accept',
    refusals: ['StatusError'],
    tokens: [
      ';',
      ',',
      '=',
      '"',
      '\\',
      'q=',
      'as=',
      'g=',
      'v=',
      '*/*',
      'application/',
      'json',
      'charset=utf-8',
      ' ',
      'stream=watch',
      'q=1e9',
    ],
    samples: [
      'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;q=0.5',
      'application/vnd.kubernetes.protobuf;stream=watch, */*;q=0.1',
      'application/json; charset="utf-8"',
    ],
    run: (bytes) => {
      const text = bytes.toString();
      parseAccept(text);
      if (bytes.length % 2 === 0) negotiateInput(text);
      else negotiateOutput(text, builtinMediaTypes, allTransforms);
    },
  },
];
