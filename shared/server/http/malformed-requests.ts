import type { IncomingMessage, ServerResponse } from 'node:http';

/** The characters that a Host header may have (golang.org/x/net/http/httpguts). */
const hostForm = /^[\w!$%&'()*+,\-.:;=@[\]~]*$/;

/**
 * Answers a request whose head Go's net/http refuses before any handler but node:http accepts. Returns false for all
 * others.
 */
export function answerMalformedRequest(request: IncomingMessage, response: ServerResponse): boolean {
  const fault = faultOf(request);
  if (fault === undefined) return false;
  response.sendDate = false;
  response.shouldKeepAlive = false;
  const { status, text } = fault;
  response.writeHead(Number(status.slice(0, 3)), text.slice(4), {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': text.length,
  });
  response.end(text);
  return true;
}

function faultOf({
  httpVersionMajor,
  httpVersionMinor,
  rawHeaders,
  headers: { host },
}: IncomingMessage): { status: string; text: string } | undefined {
  if (httpVersionMajor !== 1) return fault('505 HTTP Version Not Supported', 'unsupported protocol version');
  if (host === undefined)
    return httpVersionMinor === 0 ? undefined : fault('400 Bad Request', 'missing required Host header');
  if (!hostForm.test(host)) return fault('400 Bad Request', 'malformed Host header');
  return hasTwoHosts(rawHeaders) ? fault('400 Bad Request') : undefined;
}

function fault(status: string, why?: string): { status: string; text: string } {
  return { status, text: why === undefined ? status : `${status}: ${why}` };
}

/** Whether there are several Host headers; `headers` of node:http has only the first. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count > 1;
}
