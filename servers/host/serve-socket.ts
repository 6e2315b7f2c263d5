import { chmodSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { LineReader } from './client/line-reader.ts';
import type { HostAnswer, HostCall } from './client/messages.ts';

/** Answers a call. Never rejects. */
type Answer = (call: HostCall) => Promise<HostAnswer>;

/**
 * Listens on a Unix socket for other processes of this user, whose calls and answers are lines of JSON. The clusters
 * that a connection asked for are closed when it ends, however its process ended.
 */
export async function serveSocket(path: string, answer: Answer): Promise<void> {
  const server = createServer((socket) => serve(socket, answer));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(path, resolve);
  });
  chmodSync(path, 0o600);
}

function serve(socket: Socket, answer: Answer): void {
  const clusters = new Set<number>();
  const close = (cluster: number): void => void answer({ id: 0, method: 'close', parameters: [cluster] });
  const take = async (line: string): Promise<void> => {
    const call = JSON.parse(line) as HostCall;
    const answered = await answer(call);
    const made = clusterOf(answered.result);
    if (made !== undefined) {
      if (socket.destroyed) close(made);
      else clusters.add(made);
    }
    if (call.method === 'close') clusters.delete(Number(call.parameters[0]));
    if (!socket.destroyed) socket.write(`${JSON.stringify(answered)}\n`);
  };
  // A line that is no call comes from no client of this project.
  const lines = new LineReader((line) => void take(line).catch(() => socket.destroy()));
  socket.setEncoding('utf8').on('data', (text: string) => lines.add(text));
  // `close` follows.
  socket.on('error', () => undefined);
  socket.on('close', () => clusters.forEach(close));
}

/** The cluster that a call made; it results in the address of it. */
function clusterOf(result: unknown): number | undefined {
  const { cluster } = (result ?? {}) as { readonly cluster?: unknown };
  return typeof cluster === 'number' ? cluster : undefined;
}
