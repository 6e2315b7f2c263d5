import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { referenceProgram } from '#test/reference.ts';

export interface Outcome {
  readonly code: number | string;
  /** Text, or the hash of what is long. */
  readonly stdout: string;
  readonly stderr: string;
}

const longest = 4096;
const withinMs = 20_000;

/** kubectl of the reference, by one of its two ways to stream. */
export class Kubectl {
  readonly #kubeconfig: string;
  readonly #env: Record<string, string | undefined>;

  constructor(kubeconfig: string, transport: 'WebSocket' | 'SPDY') {
    const byWebSocket = String(transport === 'WebSocket');
    this.#kubeconfig = kubeconfig;
    this.#env = {
      ...process.env,
      KUBECTL_REMOTE_COMMAND_WEBSOCKETS: byWebSocket,
      KUBECTL_PORT_FORWARD_WEBSOCKETS: byWebSocket,
    };
  }

  /** `endAfterMs`: what goes on is ended then, and its exit code is not told. */
  async run(args: readonly string[], input?: Buffer, endAfterMs = withinMs): Promise<Outcome> {
    const child = this.#start(args);
    const timer = setTimeout(() => child.kill('SIGKILL'), endAfterMs);
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
    const [code] = (await once(child, 'close')) as [number | null];
    clearTimeout(timer);
    return {
      code: code ?? (endAfterMs < withinMs ? 'ended' : 'STILL RUNNING'),
      stdout: await stdout,
      stderr: withoutTimes(await stderr),
    };
  }

  /**
   * Forwards a port of a pod and sends the bytes through so many connections at once; says how many came back whole.
   */
  async forward(pod: string, connections: number, bytes: Buffer): Promise<string> {
    const child = this.#start(['port-forward', `pod/${pod}`, ':80']);
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => (text += String(chunk)));
    try {
      const port = await new Promise<number>((resolve, reject) => {
        child.stdout.on('data', (chunk: Buffer) => {
          const match = /127\.0\.0\.1:(\d+) ->/.exec(String(chunk));
          if (match !== null) resolve(Number(match[1]));
        });
        child.once('close', () => reject(new Error(text)));
      });
      const back = await Promise.all(Array.from({ length: connections }, () => throughPort(port, bytes)));
      return `${back.filter((each) => each.equals(bytes)).length} of ${connections} ${text}`;
    } catch (error) {
      return `FAILED ${String(error)}`;
    } finally {
      child.kill('SIGKILL');
    }
  }

  #start(args: readonly string[]) {
    return spawn(referenceProgram('kubectl') ?? 'kubectl', ['--kubeconfig', this.#kubeconfig, ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: this.#env,
    });
  }
}

async function throughPort(port: number, bytes: Buffer): Promise<Buffer> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  socket.write(bytes);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of socket) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size >= bytes.length) break;
  }
  return Buffer.concat(chunks);
}

async function collect(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  return bytes.length <= longest
    ? bytes.toString('utf8')
    : `${bytes.length} bytes, sha1 ${createHash('sha1').update(bytes).digest('hex')}`;
}

/** Lines of klog say when, by which process and where. */
function withoutTimes(text: string): string {
  return text.replaceAll(/^([EIW])\d{4} [\d:.]+ +\d+ /gm, '$1 ');
}
