/**
 * Asks for lists without end from a process of its own: `flooder.ts {"url":…,"token":…,"path":…,"atOnce":N}`. Says
 * `begins`, and one line of JSON with what came (`lists`, `refused`, `failed`, `bytes`) when its input ends.
 */
import { connect, type ClientHttp2Session } from 'node:http2';

export interface Flood {
  readonly url: string;
  readonly token: string;
  readonly path: string;
  readonly atOnce: number;
}

export interface Flooded {
  lists: number;
  refused: number;
  failed: number;
  bytes: number;
}

/** As many streams on one connection as servers allow by default. */
const streamsEach = 50;
/** After a refusal: an attacker does not wait for as long as it is told. */
const againMs = 20;
const windowBytes = 16 * 1024 * 1024;

const { url, token, path, atOnce } = JSON.parse(process.argv[2] ?? '') as Flood;
const came: Flooded = { lists: 0, refused: 0, failed: 0, bytes: 0 };
process.stdout.write('begins\n');
process.stdin.resume().on('end', () => {
  process.stdout.write(`${JSON.stringify(came)}\n`, () => process.exit(0));
});
for (let begun = 0; begun < atOnce; begun += streamsEach) flood(Math.min(streamsEach, atOnce - begun));

function flood(streams: number): void {
  const session = connect(url, { rejectUnauthorized: false, settings: { initialWindowSize: windowBytes } });
  session.on('connect', () => session.setLocalWindowSize(windowBytes));
  session.on('error', () => undefined);
  // A server may end connections, and the flood goes on.
  session.on('close', () => setTimeout(() => flood(streams), againMs));
  for (let stream = 0; stream < streams; stream++) ask(session);
}

function ask(session: ClientHttp2Session): void {
  if (session.closed || session.destroyed) return;
  const request = session.request({ ':path': path, authorization: `Bearer ${token}` });
  let status = 0;
  request.on('response', (headers) => (status = headers[':status'] ?? 0));
  request.on('data', (chunk: Buffer) => (came.bytes += chunk.length));
  request.on('error', () => undefined);
  request.on('close', () => {
    came[status === 200 ? 'lists' : status === 429 ? 'refused' : 'failed']++;
    if (status === 200) ask(session);
    else setTimeout(() => ask(session), againMs);
  });
}
