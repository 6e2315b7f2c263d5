import { goQuery } from '#servers/core/kubelet/go-query.ts';
import { forbidden, invalid, notSupported, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { newBadRequest } from '#shared/apimachinery/errors/status.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { TimeError } from '#shared/apimachinery/values/time-parse.ts';
import { formatTime, parseTime } from '#shared/apimachinery/values/time.ts';
import { isTrueParameter } from '#shared/request/parse-request-info.ts';
import type { QueryParameters } from '#shared/request/query-parameters.ts';

/** PodLogOptions from the query of a request. Options that the query does not set are undefined. */
export interface PodLogOptions {
  readonly container: string;
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly sinceSeconds: bigint | undefined;
  /** As the kubelet gets it: in UTC, whole seconds. */
  readonly sinceTime: string | undefined;
  readonly tailLines: bigint | undefined;
  readonly limitBytes: bigint | undefined;
  readonly insecureSkipTLSVerifyBackend: boolean;
  readonly stream: string | undefined;
}

const zeroTime = '0001-01-01T00:00:00Z';
/** The valid streams. The reference lists them in errors in the random order of a Go map. */
const streams = ['All', 'Stderr', 'Stdout'];

/**
 * Reads the query in the order of the fields, as the reference does. Throws 400 for the first value that does not
 * parse.
 */
export function parsePodLogOptions(query: QueryParameters): PodLogOptions {
  return {
    container: query.get('container') ?? '',
    follow: isTrueParameter(query.get('follow')),
    previous: isTrueParameter(query.get('previous')),
    sinceSeconds: int64(query, 'sinceSeconds'),
    sinceTime: time(query.get('sinceTime')),
    timestamps: isTrueParameter(query.get('timestamps')),
    tailLines: int64(query, 'tailLines'),
    limitBytes: int64(query, 'limitBytes'),
    insecureSkipTLSVerifyBackend: isTrueParameter(query.get('insecureSkipTLSVerifyBackend')),
    stream: query.get('stream') ?? undefined,
  };
}

/** @param choosesStream the gate PodLogsQuerySplitStreams */
export function validatePodLogOptions(options: PodLogOptions, choosesStream: boolean): FieldError[] {
  const { tailLines, limitBytes, sinceSeconds, sinceTime } = options;
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0n)
    errors.push(invalid(path('tailLines'), tailLines, 'must be greater than or equal to 0'));
  if (limitBytes !== undefined && limitBytes < 1n)
    errors.push(invalid(path('limitBytes'), limitBytes, 'must be greater than 0'));
  if (sinceSeconds !== undefined && sinceTime !== undefined)
    errors.push(forbidden(path('[]'), 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  else if (sinceSeconds !== undefined && sinceSeconds < 1n)
    errors.push(invalid(path('sinceSeconds'), sinceSeconds, 'must be greater than 0'));
  return [...errors, ...validateStream(options, choosesStream)];
}

function validateStream({ stream, tailLines }: PodLogOptions, choosesStream: boolean): FieldError[] {
  if (!choosesStream) return stream === undefined ? [] : [forbidden(path('stream'), 'may not be specified')];
  const chosen = stream ?? 'All';
  return [
    ...(streams.includes(chosen) ? [] : [notSupported(path('stream'), chosen, streams)]),
    ...(chosen !== 'All' && tailLines !== undefined
      ? [forbidden(path('[]'), '`tailLines` and specific `stream` are mutually exclusive for now')]
      : []),
  ];
}

const maxInt64 = 2n ** 63n - 1n;

function int64(query: QueryParameters, key: string): bigint | undefined {
  const text = query.get(key);
  if (text === null) return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw newBadRequest(`strconv.ParseInt: parsing ${goQuote(text)}: invalid syntax`);
  // Not converted if it is too long: BigInt would be slow for a million digits.
  const value =
    text.replace(/^[+-]?0*/, '').length > 19 ? maxInt64 + 1n : BigInt(text.startsWith('+') ? text.slice(1) : text);
  if (value > maxInt64 || value < -maxInt64 - 1n)
    throw newBadRequest(`strconv.ParseInt: parsing ${goQuote(text)}: value out of range`);
  return value;
}

/** An empty text and `null` are the zero time (apimachinery, Time.UnmarshalQueryParameter). */
function time(text: string | null): string | undefined {
  if (text === null) return undefined;
  if (text === '' || text === 'null') return zeroTime;
  try {
    return formatTime(parseTime(text).seconds);
  } catch (error) {
    throw error instanceof TimeError ? newBadRequest(error.message) : error;
  }
}

/** The query of the request to the kubelet, with sorted keys as Go writes them. */
export function kubeletLogQuery(options: PodLogOptions, choosesStream: boolean): string {
  const query = new URLSearchParams();
  for (const key of [
    'follow',
    'limitBytes',
    'previous',
    'sinceSeconds',
    'sinceTime',
    'stream',
    'tailLines',
    'timestamps',
  ] as const) {
    const value = key === 'stream' ? (choosesStream ? (options.stream ?? 'All') : undefined) : options[key];
    if (value !== undefined && value !== false) query.set(key, String(value));
  }
  return goQuery(query);
}
