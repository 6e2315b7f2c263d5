import type { IncomingMessage, ServerResponse } from 'node:http';

/** As in Go, the first of several headers counts, and blanks and commas alone separate its tokens (net/http). */
const continueToken = /(?:^|[ \t,])100-continue(?:$|[ \t,])/i;

/**
 * Heeds the `Expect` header of a request (RFC 9110 section 10.1.1) as the reference does.
 * @returns `continue` where the client sends the body only after the 100 that the first read of it sends, `refused`
 * where the expectation is unknown and was answered with 417
 */
export function heedExpectation(request: IncomingMessage, response: ServerResponse): 'none' | 'continue' | 'refused' {
  if (request.headers.expect === undefined) return 'none';
  const { rawHeaders, headers, httpVersionMinor } = request;
  // No request that is sent on expects anything: Node.js sends the head of such a request before it can be changed.
  delete request.headers.expect;
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'expect');
  const first = rawHeaders[at + 1] ?? '';
  if (first === '') return 'none';
  if (!continueToken.test(first)) {
    response.writeHead(417, { connection: 'close', 'content-length': 0 }).end();
    return 'refused';
  }
  if (httpVersionMinor === 0) return 'none';
  if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0) {
    continueAtFirstRead(request, response);
    return 'continue';
  }
  // Without a body there is nothing to ask for, but Node.js ends a connection whose client got no 100.
  response.writeContinue();
  return 'none';
}

/**
 * Sends 100 when the body is first read, through whatever interface, so that a request that is refused by its head gets
 * its answer instead. Node.js ends the connection behind such an answer.
 */
function continueAtFirstRead(request: IncomingMessage, response: ServerResponse): void {
  const read = request._read.bind(request);
  request._read = (size) => {
    request._read = read;
    if (!response.headersSent) response.writeContinue();
    read(size);
  };
}
