import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, WebSocket } from 'undici';
import type { ClusterAddress } from '#test/api-client.ts';

/** A WebSocket as the administrator; what came is kept by the first byte of its messages. */
export class ChannelsClient {
  readonly #socket: WebSocket;
  readonly #agent: Agent;
  readonly #received = new Map<number, Buffer>();
  #waiting: (() => void)[] = [];
  opened = false;
  closed = false;

  constructor({ url, pki }: ClusterAddress, path: string, protocol: string) {
    const file = (name: string): Buffer => readFileSync(join(pki, name));
    this.#agent = new Agent({ connect: { ca: file('ca.crt'), cert: file('admin.crt'), key: file('admin.key') } });
    this.#socket = new WebSocket(url.replace('https:', 'wss:') + path, {
      protocols: [protocol],
      dispatcher: this.#agent,
    });
    this.#socket.binaryType = 'arraybuffer';
    this.#socket.addEventListener('open', () => {
      this.opened = true;
      this.#tell();
    });
    this.#socket.addEventListener('message', ({ data }) => {
      const bytes = Buffer.from(data as ArrayBuffer);
      const channel = bytes[0] ?? 0;
      this.#received.set(channel, Buffer.concat([this.#received.get(channel) ?? Buffer.alloc(0), bytes.subarray(1)]));
      this.#tell();
    });
    this.#socket.addEventListener('close', () => {
      this.closed = true;
      this.#tell();
    });
    this.#socket.addEventListener('error', () => undefined);
  }

  /** Resolves when it holds, which is looked at whenever something came. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Undefined before the first message of the channel. */
  of(channel: number): Buffer | undefined {
    return this.#received.get(channel);
  }

  send(channel: number, payload: string | Buffer): void {
    this.#socket.send(Buffer.concat([Buffer.from([channel]), Buffer.from(payload)]));
  }

  async close(): Promise<void> {
    this.#socket.close();
    await this.until(() => this.closed);
    await this.#agent.destroy();
  }

  #tell(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
