import { readFileSync } from 'node:fs';
import {
  aggregateMessages,
  fieldErrorText,
  invalid,
  path,
  type FieldError,
} from '#shared/apimachinery/errors/field-error.ts';
import { formatGroupVersion, type GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import { numberAt, stringAt, valueAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { parseReference, UrlError } from '#shared/cel/libraries/url/parse.ts';
import type { ConfigurationScheme } from '#shared/configuration/configuration-scheme.ts';
import { ConfigurationError, decodeConfiguration } from '#shared/configuration/decode-configuration.ts';
import { readError } from '#shared/configuration/read-error.ts';
import { serverKinds } from '#shared/configuration/server-kinds.ts';

const kind = 'TracingConfiguration';
/** What a file is without kind or version: the reference decodes it into its own type. */
const untyped: GroupVersionKind = { group: 'apiserver.config.k8s.io', version: '__internal', kind };
const scheme: ConfigurationScheme = {
  isStrict: true,
  kinds: [...serverKinds(kind), { apiVersion: formatGroupVersion(untyped), kind, struct: kind }],
  refusal: (gvk) => `converting (${gvk.version}.${gvk.kind}) to (apiserver.${kind}): unknown conversion`,
  types: {
    TracingConfiguration: [
      ['endpoint', 0, 'string', 'pe'],
      ['samplingRatePerMillion', 0, 'int32', 'pe'],
    ],
  },
};
const million = 1_000_000;
const schemes =
  'Options are none, dns, unix, or unix-abstract.  See https://github.com/grpc/grpc/blob/master/doc/naming.md';

/** Where spans are sent, and how many. */
export interface TracingConfiguration {
  /** As gRPC names its targets: `host:port`, `dns:///host:port`, `unix:///path`, `unix-abstract:///name`. */
  readonly endpoint: string;
  /** The part of the requests that begin a trace, from 0 to 1. Requests within a sampled trace are all traced. */
  readonly samplingRatio: number;
}

/**
 * Reads and validates the file of `--tracing-config-file` (apiserver/pkg/server/options/tracing.go), which the
 * reference reads once, at its start.
 * @throws ConfigurationError in the reference's words
 */
export function readTracingConfiguration(file: string): TracingConfiguration {
  const decoded = decode(readBytes(file));
  const given = valueAt(decoded, 'endpoint') === undefined ? undefined : stringAt(decoded, 'endpoint');
  const rate = numberAt(decoded, 'samplingRatePerMillion') ?? 0;
  const errors = [...rateErrors(rate), ...(given === undefined ? [] : endpointErrors(given))];
  if (errors.length === 0) return { endpoint: given ?? 'localhost:4317', samplingRatio: rate / million };
  const texts = errors.map((error) => fieldErrorText(error));
  throw new ConfigurationError(`failed to validate tracing configuration: ${aggregateMessages(texts)}`);
}

/** The errors of the file, for a check before anything starts. */
export function tracingFileErrors({ tracingConfigFile: file }: { readonly tracingConfigFile: string }): string[] {
  if (file === '') return [];
  try {
    readTracingConfiguration(file);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return [`--tracing-config-file ${JSON.stringify(file)}: ${error.message}`];
    throw error;
  }
}

function decode(bytes: Uint8Array): KubeObject {
  try {
    return decodeConfiguration(scheme, bytes, untyped);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    // Of a struct within the struct.
    const reason = error.message.replace(`Go struct field ${kind}.`, `$&${kind}.`);
    throw readFailure(`unable to decode tracing configuration data: ${reason}`);
  }
}

function readBytes(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw readFailure(`unable to read tracing configuration from ${goQuote(file)}: ${readError(error, file)}`);
  }
}

function readFailure(reason: string): ConfigurationError {
  return new ConfigurationError(`failed to read tracing config: ${reason}`);
}

function rateErrors(rate: number): FieldError[] {
  const field = path('samplingRatePerMillion');
  if (rate < 0) return [invalid(field, rate, 'sampling rate must be positive')];
  if (rate <= million) return [];
  return [invalid(field, rate, 'sampling rate per million must be less than or equal to one million')];
}

/** component-base/tracing/api/v1/config.go. */
function endpointErrors(endpoint: string): FieldError[] {
  const field = path('endpoint');
  const target = endpoint.includes('//') ? endpoint : `dns://${endpoint}`;
  try {
    const url = atOnce(parseReference(target));
    if (['dns', 'unix', 'unix-abstract'].includes(url.scheme)) return [];
    return [invalid(field, target, `unsupported scheme: ${url.scheme}.  ${schemes}`)];
  } catch (error) {
    if (error instanceof UrlError) return [invalid(field, target, error.message)];
    throw error;
  }
}
