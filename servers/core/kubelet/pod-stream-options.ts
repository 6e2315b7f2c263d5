import { newBadRequest } from '#shared/apimachinery/errors/status.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { listAt, stringsAt } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { isTrueParameter } from '#shared/request/parse-request-info.ts';
import type { QueryParameters } from '#shared/request/query-parameters.ts';
import { goQuery, goQueryOf } from './go-query.ts';

export type StreamSubresource = 'exec' | 'attach' | 'portforward';

/** Which streams an `exec` or `attach` request opens. */
export interface TerminalStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

function terminalStreams(query: QueryParameters): TerminalStreams {
  return {
    stdin: isTrueParameter(query.get('stdin')),
    stdout: isTrueParameter(query.get('stdout')),
    stderr: isTrueParameter(query.get('stderr')),
    tty: isTrueParameter(query.get('tty')),
  };
}

/** The request as an options object. Throws 400 for invalid ports. */
export function streamOptions(subresource: StreamSubresource, query: QueryParameters): JsonObject {
  if (subresource === 'portforward') {
    const ports = forwardedPorts(query);
    return ports.length === 0 ? {} : { ports };
  }
  const { stdin, stdout, stderr, tty } = terminalStreams(query);
  const container = query.get('container') ?? '';
  const command = subresource === 'exec' ? query.getAll('command') : [];
  return {
    ...(stdin ? { stdin } : {}),
    ...(stdout ? { stdout } : {}),
    ...(stderr ? { stderr } : {}),
    ...(tty ? { tty } : {}),
    ...(container === '' ? {} : { container }),
    ...(command.length === 0 ? {} : { command }),
  };
}

/**
 * The query of the request to the kubelet, with sorted keys as Go writes them (pkg/registry/core/pod, streamParams).
 * `sent` is the client's query as received, whose commands need not be UTF-8; undefined for options that admission has
 * changed.
 */
export function kubeletStreamQuery(
  subresource: StreamSubresource,
  options: JsonObject,
  sent: string | undefined,
): string {
  const asked = new URLSearchParams();
  if (subresource === 'portforward') {
    const ports = listAt(options, 'ports');
    if (ports.length > 0) asked.set('port', ports.join(','));
    return goQuery(asked);
  }
  const { stdin, stdout, stderr, tty } = streamsOf(options);
  if (stderr) asked.set('error', '1');
  if (stdin) asked.set('input', '1');
  if (stdout) asked.set('output', '1');
  if (tty) asked.set('tty', '1');
  const command = subresource === 'exec' ? commandQuery(options, sent) : '';
  return [command, goQuery(asked)].filter((part) => part !== '').join('&');
}

function commandQuery(options: JsonObject, sent: string | undefined): string {
  if (sent !== undefined) return goQueryOf(sent, 'command');
  return goQuery(new URLSearchParams(stringsAt(options, 'command').map((word) => ['command', word])));
}

/** The streams that options ask for. */
export function streamsOf(options: JsonObject): TerminalStreams {
  return {
    stdin: options['stdin'] === true,
    stdout: options['stdout'] === true,
    stderr: options['stderr'] === true,
    tty: options['tty'] === true,
  };
}

/** The ports of a port-forward; each value may list several, separated by commas. */
function forwardedPorts(query: QueryParameters): number[] {
  return query.getAll('ports').flatMap((text) => text.split(',').map(parsePort));
}

/** Go's strconv.ParseUint(text, 10, 16). */
function parsePort(text: string): number {
  const fault = !/^\d+$/.test(text)
    ? 'invalid syntax'
    : text.replace(/^0+/, '').length > 5 || Number(text) > 0xffff
      ? 'value out of range'
      : '';
  if (fault !== '')
    throw newBadRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${goQuote(text)}: ${fault}`);
  return Number(text);
}
