import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { nextSlice } from '#shared/apimachinery/slices/slices.ts';
import type { EgressDial } from '#shared/egress/dial/egress-dial.ts';
import { GrpcError } from '#shared/grpc/grpc-error.ts';
import { unaryCall } from '#shared/grpc/unary-call.ts';
import type { CollectorTarget } from './collector-target.ts';

const exportPath = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
/** As OTLP's exporter in Go: of one call, of all tries of a batch, and between them. */
const callMs = 10_000;
const tryMs = 60_000;
const firstPauseMs = 1_000;
const longestPauseMs = 5_000;
/** Codes that a later call may not have (opentelemetry-proto, docs/specification.md). */
const passing: ReadonlySet<string> = new Set([
  'Canceled',
  'DeadlineExceeded',
  'Aborted',
  'OutOfRange',
  'Unavailable',
  'DataLoss',
  'ResourceExhausted',
]);

/** Sends spans to a collector by OTLP over gRPC, without TLS, as the reference. */
export class CollectorClient {
  readonly #target: CollectorTarget;
  readonly #dial: EgressDial | undefined;
  readonly #closed = new AbortController();
  #session: Promise<ClientHttp2Session> | undefined;

  constructor(target: CollectorTarget, dial: EgressDial | undefined) {
    this.#target = target;
    this.#dial = dial;
  }

  /** Resolves when the collector took the batch; rejects when it refused it, or could not be reached for a minute. */
  async send(spans: ReadableSpan[]): Promise<void> {
    const message = await exportRequest(spans);
    const endMs = performance.now() + tryMs;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        await unaryCall(await this.#connected(), exportPath, message, callMs, this.#authority());
        return;
      } catch (error) {
        const isPassing = !(error instanceof GrpcError) || passing.has(error.code);
        if (!isPassing || this.#closed.signal.aborted || performance.now() + pauseMs > endMs) throw error;
      }
      await sleep(pauseMs, undefined, { ref: false, signal: this.#closed.signal }).catch(() => undefined);
    }
  }

  /** No batch is tried again from now on. */
  stopRepeating(): void {
    this.#closed.abort();
  }

  close(): void {
    this.stopRepeating();
    void this.#session?.then((session) => session.destroy()).catch(() => undefined);
  }

  #authority(): string {
    return this.#target.kind === 'unix' ? 'localhost' : hostPort(this.#target);
  }

  #connected(): Promise<ClientHttp2Session> {
    return (this.#session ??= this.#connect());
  }

  async #connect(): Promise<ClientHttp2Session> {
    const forget = (): void => void (this.#session = undefined);
    try {
      const socket = await this.#open();
      const session = connectHttp2(`http://${this.#authority()}`, { createConnection: () => socket });
      // The calls under way tell of errors.
      session.on('error', () => undefined);
      session.on('close', forget);
      session.on('goaway', forget);
      session.unref();
      return session;
    } catch (error) {
      forget();
      throw error;
    }
  }

  async #open(): Promise<Duplex> {
    const target = this.#target;
    if (target.kind === 'tcp' && this.#dial !== undefined) return await this.#dial(hostPort(target));
    const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
    const socket = connectSocket(target.kind === 'tcp' ? target : { path: target.path.replace(/^@/, '\0') }, () =>
      resolve(socket),
    );
    socket.setTimeout(callMs, () => socket.destroy(new Error('the collector does not answer')));
    socket.once('connect', () => socket.setTimeout(0)).once('error', reject);
    return await promise;
  }
}

/** Spans that are serialized at once: 512 of them would hold the loop for 70 ms, these for 1. */
const atOnce = 32;

/** The message of a call. Requests one after another are one request with the resources of all (protobuf's merging). */
async function exportRequest(spans: readonly ReadableSpan[]): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < spans.length; at += atOnce) {
    if (at > 0) await nextSlice();
    const part = ProtobufTraceSerializer.serializeRequest(spans.slice(at, at + atOnce));
    if (part !== undefined) parts.push(part);
  }
  return Buffer.concat(parts);
}

function hostPort({ host, port }: { readonly host: string; readonly port: number }): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
