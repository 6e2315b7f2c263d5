import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Http2Server, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  signerMethods,
  type KeysAnswer,
  type MetadataAnswer,
  type SignAnswer,
} from '#shared/authentication/external-signer/signer-messages.ts';
import { decodeMessage, encodeMessage, type Encodable } from '#shared/storage/etcd-wire/codec.ts';
import type { MessageType } from '#shared/storage/etcd-wire/message-type.ts';

/** What a call fails with. */
export interface SignerFailure {
  readonly code: number;
  readonly description: string;
}

/** What a signer answers; it may change meanwhile. */
export interface SignerScript {
  fetchKeys(): KeysAnswer | SignerFailure;
  sign(claims: string): SignAnswer | SignerFailure;
  metadata(): MetadataAnswer | SignerFailure;
}

/** An external signer on a Unix socket, for tests: gRPC by the HTTP/2 of Node.js. */
export class ScriptedSigner {
  readonly socket: string;
  readonly #folder: string;
  readonly #server: Http2Server;

  constructor(script: SignerScript) {
    this.#folder = mkdtempSync(join(tmpdir(), 'signer-'));
    this.socket = join(this.#folder, 'socket');
    this.#server = createServer();
    this.#server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const message = Buffer.concat(chunks).subarray(5);
        const path = headers[':path'] ?? '';
        if (path.endsWith('/Sign'))
          return answer(
            stream,
            signerMethods.Sign.answer,
            script.sign(decodeMessage(signerMethods.Sign.request, message).claims),
          );
        if (path.endsWith('/FetchKeys')) return answer(stream, signerMethods.FetchKeys.answer, script.fetchKeys());
        return answer(stream, signerMethods.Metadata.answer, script.metadata());
      });
    });
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.socket, resolve));
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function answer<T extends object>(stream: ServerHttp2Stream, type: MessageType<T>, value: T | SignerFailure): void {
  const head = { ':status': 200, 'content-type': 'application/grpc' };
  if ('description' in value) {
    stream.respond({ ...head, 'grpc-status': value.code, 'grpc-message': encodeURIComponent(value.description) });
    return void stream.end();
  }
  stream.respond(head, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  const message = encodeMessage(type, value as Encodable<T>);
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  stream.end(Buffer.concat([prefix, message]));
}
