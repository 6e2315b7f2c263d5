import { Buffer } from 'node:buffer';
import { createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { framed, GrpcMessages } from '#shared/egress/grpc/grpc-messages.ts';
import { ProtobufReader } from '#shared/protobuf/protobuf-reader.ts';
import { int64VarintBytes, tagBytes, varintBytes } from '#shared/protobuf/varint.ts';

/**
 * A proxy as konnectivity's server and agent together are, for tests: it dials by itself. `dialed` are the addresses
 * that it was asked for. Its packets are written here from client.proto, apart from the code under test.
 */
export interface GrpcProxy {
  readonly server: Http2Server;
  readonly dialed: string[];
  close(): void;
}

/** What the proxy answers to a request instead of dialing; undefined to dial. */
export type Misbehave = (stream: ServerHttp2Stream, random: bigint) => boolean;

/** @param lead where an address that it is asked for lies */
export async function startGrpcProxy(
  path: string,
  misbehave: Misbehave = () => false,
  lead: (address: string) => string = (address) => address,
): Promise<GrpcProxy> {
  const dialed: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer();
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    if (headers[':path'] !== '/ProxyService/Proxy') return stream.close();
    stream.on('error', () => undefined);
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    const messages = new GrpcMessages();
    let socket: Socket | undefined;
    const onPacket = (bytes: Buffer): void => {
      const packet = fieldsOf(bytes);
      const body = (number: number): Map<number, bigint | Buffer> => fieldsOf(packet.get(number) as Buffer);
      switch (Number(packet.get(1) ?? 0n)) {
        case 0: {
          const request = body(2);
          const [address, random] = [String(request.get(2)), request.get(3) as bigint];
          dialed.push(address);
          if (!misbehave(stream, random)) sockets.add((socket = dial(stream, lead(address), random)));
          return;
        }
        case 2:
          socket?.destroy();
          stream.write(packetOf(3, 6, [varint(2, connectId)]));
          return;
        case 4:
          socket?.write(body(4).get(3) as Buffer);
      }
    };
    stream.on('data', (piece: Buffer) => messages.add(piece).forEach(onPacket));
    stream.on('close', () => socket?.destroy());
  });
  server.on('session', (session) => session.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    server,
    dialed,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Beyond 2^53, so that an id that is not kept exactly is noticed. */
const connectId = 2n ** 62n + 1n;

function dial(stream: ServerHttp2Stream, address: string, random: bigint): Socket {
  const at = address.lastIndexOf(':');
  const socket = connect(Number(address.slice(at + 1)), address.slice(0, at).replace(/^\[|\]$/g, ''));
  const send = (bytes: Buffer): boolean => !stream.destroyed && !stream.writableEnded && stream.write(bytes);
  let isMade = false;
  socket.once('connect', () => {
    isMade = true;
    send(packetOf(1, 3, [varint(2, connectId), varint(3, random)]));
  });
  socket.on('data', (data: Buffer) => {
    if (!send(packetOf(4, 4, [varint(1, connectId), block(3, data)]))) socket.pause();
  });
  stream.on('drain', () => socket.resume());
  socket.on('end', () => send(packetOf(3, 6, [varint(2, connectId)])));
  socket.on('error', (error) => {
    if (!isMade) send(packetOf(1, 3, [block(1, Buffer.from(error.message)), varint(3, random)]));
  });
  return socket;
}

/** The answer that a dial failed. */
export function dialFailure(random: bigint, error: string): Buffer {
  return packetOf(1, 3, [block(1, Buffer.from(error)), varint(3, random)]);
}

/** The packet that ends a dial. */
export function dialClosed(random: bigint): Buffer {
  return packetOf(5, 7, [varint(1, random)]);
}

/** @returns a packet in its frame, with the fields of its payload */
function packetOf(type: number, payload: number, fields: readonly Uint8Array[]): Buffer {
  return framed(Buffer.concat([varint(1, BigInt(type)), block(payload, Buffer.concat(fields))]));
}

function varint(number: number, value: bigint): Uint8Array {
  return Buffer.concat([tagBytes(number, 0), int64VarintBytes(value)]);
}

function block(number: number, content: Uint8Array): Uint8Array {
  return Buffer.concat([tagBytes(number, 2), varintBytes(content.length), content]);
}

function fieldsOf(bytes: Buffer): Map<number, bigint | Buffer> {
  const reader = new ProtobufReader(bytes);
  const fields = new Map<number, bigint | Buffer>();
  while (reader.position < bytes.length) {
    const tag = reader.tag('Packet', bytes.length);
    const end = bytes.length;
    fields.set(tag >> 3, (tag & 7) === 0 ? reader.varintBig(end) : reader.bytes(reader.block(end)));
  }
  return fields;
}
