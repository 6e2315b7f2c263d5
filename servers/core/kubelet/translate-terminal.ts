import { Buffer } from 'node:buffer';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { isUpgraded } from '#shared/request/ask-for-upgrade.ts';
import type { UpgradedConnection } from '#shared/request/join-connections.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { KubeletConnections, KubeletEndpoint } from './kubelet-connections.ts';
import { goUserAgent, readRefusal } from './kubelet-request.ts';
import type { TerminalStreams } from './pod-stream-options.ts';
import { SpdyConnection, type SpdyStream } from './spdy-connection.ts';
import type { TargetHeaders } from './target-headers.ts';
import { internalErrorOutcome, streamProtocols, terminalOutcome } from './terminal-outcome.ts';
import { TerminalSizes } from './terminal-sizes.ts';
import { UpgradeFailure, upgradeToKubelet } from './upgrade-to-kubelet.ts';
import { WebSocketConnection } from './websocket-connection.ts';
import { acceptWebSocket } from './websocket-handshake.ts';

/** The protocol of the client whose streams are translated. */
export const translatedProtocol = 'v5.channel.k8s.io';

const channel = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;
const channelCount = 5;
/** On the channel with this number, a client sends the number of a channel that it closes. */
const closeSignal = 255;
/** Maximum size of the error stream, which carries a Status. */
const maxErrorBytes = 1024 * 1024;
/** How long a kubelet may take to accept streams, as in client-go. */
const acceptMs = 30_000;

/**
 * Translates between the client's WebSocket, whose messages begin with the number of their channel, and SPDY streams,
 * for a kubelet that supports only SPDY (apiserver pkg/util/proxy, StreamTranslatorHandler). The WebSocket is accepted
 * first, so later errors go to its error channel. Resolves when the WebSocket is open.
 */
export async function translateTerminal(
  context: RequestContext,
  kubelets: KubeletConnections,
  kubelet: KubeletEndpoint,
  path: string,
  streams: TerminalStreams,
): Promise<void> {
  const client = acceptWebSocket(context, translatedProtocol);
  if (client === undefined) return;
  const terminal = new Terminal(client.socket, streams);
  terminal.greet();
  terminal.start(client.head);
  // Not awaited: the request is done here, and `run` reports its own errors to the client.
  void terminal.run(kubelets, kubelet, path);
}

class Terminal {
  readonly #client: WebSocketConnection;
  readonly #streams: TerminalStreams;
  readonly #sizes = new TerminalSizes();
  #asked: ClientRequest | undefined;
  #kubelet: SpdyConnection | undefined;
  #stdin: SpdyStream | undefined;
  #resize: SpdyStream | undefined;
  #isOpen = false;
  #channel = 0;
  /** The current message closes a channel; its next byte is the number of that channel. */
  #endsChannel = false;
  /** Pieces that arrived before the streams were open; the client is held back meanwhile. */
  readonly #early: { readonly number: number; readonly piece: Buffer }[] = [];
  #endedEarly = false;
  #gone = false;

  constructor(socket: ConstructorParameters<typeof WebSocketConnection>[0], streams: TerminalStreams) {
    this.#streams = streams;
    this.#client = new WebSocketConnection(socket, {
      onPiece: (piece, begins) => this.#take(piece, begins),
      onMessageEnd: () => (this.#endsChannel = false),
      onDrain: () => this.#kubelet?.resume(),
      onGone: () => this.#clientGone(),
    });
  }

  start(head: Buffer): void {
    this.#client.start(head);
  }

  /** Confirms the connection with an empty message on the first channel that the client reads. */
  greet(): void {
    const { stdout, stderr } = this.#streams;
    this.#send(stdout ? channel.stdout : stderr ? channel.stderr : channel.error, Buffer.alloc(0));
  }

  async run(kubelets: KubeletConnections, kubelet: KubeletEndpoint, path: string): Promise<void> {
    let outcome: string;
    try {
      outcome = await this.#translate(kubelets, kubelet, path);
    } catch (error) {
      outcome = internalErrorOutcome(error instanceof Error ? error.message : String(error));
    }
    this.#send(channel.error, Buffer.from(outcome));
    this.#client.close();
    this.#kubelet?.close();
  }

  async #translate(kubelets: KubeletConnections, kubelet: KubeletEndpoint, path: string): Promise<string> {
    const answer = await this.#upgrade(kubelets, kubelet, path);
    const protocol = String(answer.response.headers['x-stream-protocol-version'] ?? '');
    const connection = new SpdyConnection(answer.socket, answer.head, () => this.#client.resume());
    this.#kubelet = connection;
    if (this.#gone) connection.close();
    return terminalOutcome(protocol, await this.#open(connection));
  }

  /** Opens the SPDY connection. Throws client-go's error for a kubelet that cannot be reached or refuses. */
  async #upgrade(kubelets: KubeletConnections, kubelet: KubeletEndpoint, path: string): Promise<UpgradedConnection> {
    const headers: TargetHeaders = new Map<string, string | string[]>([
      ['Host', kubelet.authority],
      ['User-Agent', goUserAgent],
      ['Upgrade', 'SPDY/3.1'],
      ['X-Stream-Protocol-Version', [...streamProtocols]],
    ]);
    let answer: UpgradedConnection | IncomingMessage;
    try {
      answer = await upgradeToKubelet(
        kubelets,
        kubelet,
        { method: 'POST', path, headers },
        (asked) => (this.#asked = asked),
      );
    } catch (error) {
      if (!(error instanceof UpgradeFailure)) throw error;
      throw new Error(`error sending request: Post "https://${kubelet.authority}${path}": ${error.message}`, {
        cause: error,
      });
    }
    if (isUpgraded(answer)) {
      if (/spdy\/3\.1/i.test(String(answer.response.headers.upgrade))) return answer;
      answer.socket.destroy();
      throw new Error('unable to upgrade connection: empty server response');
    }
    throw await refusal(answer);
  }

  /** Resolves with the text of the error stream once all streams have ended, or the connection has. */
  async #open(connection: SpdyConnection): Promise<string> {
    const { stdin, stdout, stderr, tty } = this.#streams;
    const opened: SpdyStream[] = [];
    const open = (
      streamtype: string,
      onData: (chunk: Buffer) => boolean,
    ): { readonly stream: SpdyStream; readonly ended: Promise<void> } => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const stream = connection.open({ streamtype }, { onData, onEnd: resolve });
      opened.push(stream);
      return { stream, ended: promise };
    };
    const errors: Buffer[] = [];
    let errorBytes = 0;
    const error = open('error', (chunk) => {
      errorBytes += chunk.length;
      if (errorBytes <= maxErrorBytes) errors.push(Buffer.from(chunk));
      return true;
    });
    const input = stdin ? open('stdin', () => true) : undefined;
    const outputs = [
      ...(stdout ? [open('stdout', (chunk) => this.#send(channel.stdout, chunk))] : []),
      ...(stderr && !tty ? [open('stderr', (chunk) => this.#send(channel.stderr, chunk))] : []),
    ];
    const resize = tty ? open('resize', () => true) : undefined;
    await withinMs(Promise.all(opened.map(({ accepted }) => accepted)), acceptMs);
    // When the kubelet closes the input because the command has ended, this end is closed too.
    void input?.ended.then(() => input.stream.end());
    this.#connect(input?.stream, resize?.stream);
    await Promise.all([...outputs, error].map(({ ended }) => ended));
    return Buffer.concat(errors).toString('utf8');
  }

  /** From now on the client's input goes to the kubelet; first the pieces that arrived early. */
  #connect(stdin: SpdyStream | undefined, resize: SpdyStream | undefined): void {
    this.#stdin = stdin;
    this.#resize = resize;
    this.#isOpen = true;
    for (const { number, piece } of this.#early.splice(0)) this.#deliver(number, piece);
    if (this.#endedEarly) stdin?.end();
    this.#client.resume();
  }

  #take(piece: Buffer, begins: boolean): boolean {
    let rest = piece;
    if (begins) {
      this.#channel = piece[0] as number;
      this.#endsChannel = this.#channel === closeSignal;
      rest = piece.subarray(1);
    }
    if (rest.length === 0) return true;
    if (this.#endsChannel) return this.#endChannel(rest);
    if (this.#isOpen) return this.#deliver(this.#channel, rest);
    this.#early.push({ number: this.#channel, piece: rest });
    return false;
  }

  #endChannel(rest: Buffer): boolean {
    const [number = channelCount] = rest;
    if (rest.length > 1 || number >= channelCount) {
      this.#client.close();
      this.#clientGone();
    } else if (number === channel.stdin) {
      if (this.#isOpen) this.#stdin?.end();
      else this.#endedEarly = true;
    }
    return true;
  }

  #deliver(number: number, piece: Buffer): boolean {
    if (number === channel.stdin) return this.#stdin?.write(piece) ?? true;
    if (number === channel.resize && this.#resize !== undefined) {
      const sizes = this.#sizes.take(piece);
      if (sizes !== undefined) return this.#resize.write(Buffer.from(sizes));
    }
    return true;
  }

  #send(number: number, payload: Buffer): boolean {
    return this.#client.send(Buffer.from([number]), payload);
  }

  #clientGone(): void {
    this.#gone = true;
    this.#asked?.destroy();
    this.#stdin?.end();
    this.#kubelet?.close();
  }
}

async function refusal(response: IncomingMessage): Promise<Error> {
  const status = response.statusCode ?? 0;
  if (status >= 300 && status < 400 && response.headers.location !== undefined) {
    response.destroy();
    return new Error(`error sending request: Post "${response.headers.location}": redirect not allowed`);
  }
  try {
    return new Error(`unable to upgrade connection: ${refusalText(await readRefusal(response))}`);
  } catch {
    return new Error('unable to upgrade connection: unable to read error from server response');
  }
}

/** The message of a Status, or the text itself. */
function refusalText(text: string): string {
  try {
    const { message, error } = JSON.parse(text) as { readonly message?: unknown; readonly error?: unknown };
    for (const said of [message, error]) if (typeof said === 'string' && said.trim() !== '') return said.trim();
  } catch {
    // The text is not a Status.
  }
  return text.trim() === '' ? 'empty server response' : text.trim();
}

async function withinMs(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>(
    (_resolve, reject) => (timer = setTimeout(() => reject(new Error('Timeout occurred')), ms).unref()),
  );
  try {
    await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
