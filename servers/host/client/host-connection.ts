import { connect } from 'node:net';
import { HostCalls } from './host-calls.ts';
import { LineReader } from './line-reader.ts';
import type { HostAnswer } from './messages.ts';

/**
 * Connects to the host of another process, whose clusters of this connection are closed when this process ends. Rejects
 * where no host listens.
 * @param path of the host's Unix socket
 */
export async function connectToHost(path: string): Promise<HostCalls> {
  const socket = connect(path);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject);
  });
  const calls = new HostCalls({
    send: (call) => socket.write(`${JSON.stringify(call)}\n`),
    hold: () => socket.ref(),
    rest: () => socket.unref(),
  });
  const lines = new LineReader((line) => calls.settle(JSON.parse(line) as HostAnswer));
  socket.setEncoding('utf8').on('data', (text: string) => lines.add(text));
  socket.on('error', () => undefined);
  socket.on('close', () =>
    calls.end(() => new Error(`the process of the clusters, which listened at ${path}, has ended`)),
  );
  return calls;
}
