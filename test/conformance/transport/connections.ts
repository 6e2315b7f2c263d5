import { connect, constants, type ClientHttp2Session } from 'node:http2';

/**
 * How many HTTP/2 connections it takes to send so many requests one after the other: a new one after each GOAWAY. A
 * request that crossed a GOAWAY is sent again, as clients do.
 */
export async function connectionsForRequests(
  url: string,
  requests: number,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  let session: ClientHttp2Session | undefined;
  let connections = 0;
  for (let answered = 0; answered < requests;) {
    if (session === undefined) {
      const opened = (session = connect(url, { rejectUnauthorized: false }));
      connections++;
      const forget = (): void => {
        if (session === opened) session = undefined;
      };
      opened.on('goaway', forget).on('close', forget).on('error', forget);
    }
    if (await isAnswered(session, headers)) answered++;
    // A GOAWAY may come behind the answer.
    await new Promise((resolve) => setTimeout(resolve, requests < 100 ? 20 : 0));
  }
  session?.close();
  return connections;
}

function isAnswered(session: ClientHttp2Session, headers: Readonly<Record<string, string>>): Promise<boolean> {
  const stream = session.request({ ':path': '/version', ...headers });
  stream.resume().on('error', () => undefined);
  return new Promise((resolve) => stream.once('close', () => resolve(stream.rstCode === constants.NGHTTP2_NO_ERROR)));
}
