import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { goJson, goQuote } from '#shared/apimachinery/text/go-format.ts';

/** The remotecommand reason with which kubelets report exit codes to clients. */
const nonZeroExitCode = 'NonZeroExitCode';
const exitCodeCause = 'ExitCode';

/** Stream protocols in the order in which they are offered; those up to v3 report errors as plain text. */
export const streamProtocols = [
  'v5.channel.k8s.io',
  'v4.channel.k8s.io',
  'v3.channel.k8s.io',
  'v2.channel.k8s.io',
  'channel.k8s.io',
] as const;

/**
 * The message for the client's error channel, made from the `message` of the kubelet's error stream (client-go
 * tools/remotecommand, and apiserver pkg/util/proxy for the way back). An empty message means success.
 */
export function terminalOutcome(protocol: string, message: string): string {
  if (message === '') return print({ status: 'Success' });
  if (protocol !== 'v5.channel.k8s.io' && protocol !== 'v4.channel.k8s.io')
    return internalErrorOutcome(`error executing remote command: ${message}`);
  let status: JsonValue;
  try {
    status = JSON.parse(message) as JsonValue;
  } catch {
    return internalErrorOutcome(`error stream protocol error: invalid JSON in ${goQuote(message)}`);
  }
  if (!isObject(status)) return internalErrorOutcome(`error stream protocol error: no object in ${goQuote(message)}`);
  if (status['status'] === 'Success') return print({ status: 'Success' });
  if (status['status'] !== 'Failure') return internalErrorOutcome('error stream protocol error: unknown error');
  return status['reason'] === nonZeroExitCode ? exitOutcome(status) : internalErrorOutcome(stringAt(status, 'message'));
}

/** A failure Status in the form of the error channel, without kind and version. */
export function internalErrorOutcome(message: string): string {
  return print({
    status: 'Failure',
    message: `Internal error occurred: ${message}`,
    reason: 'InternalError',
    details: { causes: [{ message }] },
    code: 500,
  });
}

function exitOutcome(status: JsonObject): string {
  if (!isObject(status['details'])) return internalErrorOutcome('error stream protocol error: details must be set');
  const cause = objectsAt(status, 'details', 'causes').find((each) => each['reason'] === exitCodeCause);
  if (cause === undefined) return internalErrorOutcome(`error stream protocol error: no ${exitCodeCause} cause given`);
  const text = stringAt(cause, 'message');
  const code = /^\d{1,20}$/.test(text) ? Number(text) : NaN;
  if (!(code <= 255))
    return internalErrorOutcome(`error stream protocol error: invalid exit code value ${goQuote(text)}`);
  return print({
    status: 'Failure',
    message: `command terminated with non-zero exit code: command terminated with exit code ${code}`,
    reason: nonZeroExitCode,
    details: { causes: [{ reason: exitCodeCause, message: String(code) }] },
  });
}

function print(status: JsonObject): string {
  return goJson({ metadata: {}, ...status });
}
