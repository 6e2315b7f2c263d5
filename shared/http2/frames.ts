/** Types, flags and codes of HTTP/2 (RFC 9113 sections 6 and 7). */
export const frameType = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;
export const frameFlag = { endStream: 0x1, ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;
export const setting = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;
export const errorCode = {
  none: 0,
  protocol: 1,
  internal: 2,
  flowControl: 3,
  streamClosed: 5,
  frameSize: 6,
  refusedStream: 7,
  cancel: 8,
  compression: 9,
  enhanceYourCalm: 11,
} as const;

export type ErrorCode = (typeof errorCode)[keyof typeof errorCode];

export const frameHeaderBytes = 9;
export const largestStreamId = 2 ** 31 - 1;
export const largestWindow = 2 ** 31 - 1;
export const smallestFrameLimit = 16_384;
export const largestFrameLimit = 2 ** 24 - 1;
/** Size of a window before any SETTINGS. */
export const usualWindow = 65_535;

/** Ends the connection with a GOAWAY of this code. */
export class ConnectionFault extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, why: string) {
    super(why);
    this.code = code;
  }
}

/** Ends the connection without a GOAWAY: the peer would not understand one, or Go's server sends none. */
export class AbruptEnd extends Error {}

/** Ends one stream with a RST_STREAM of this code. */
export class StreamFault extends Error {
  readonly stream: number;
  readonly code: ErrorCode;

  constructor(stream: number, code: ErrorCode, why: string) {
    super(why);
    this.stream = stream;
    this.code = code;
  }
}

/** A frame's header with room for `room` bytes of its payload behind it. */
export function newFrame(
  type: number,
  flags: number,
  stream: number,
  payloadBytes: number,
  room = payloadBytes,
): Buffer {
  const frame = Buffer.allocUnsafe(frameHeaderBytes + room);
  writeHttp2FrameHead(frame, 0, (type << 8) | flags, stream, payloadBytes);
  return frame;
}

/** Writes the header of a frame to `at`. @param kind type and flags, as the two bytes follow each other */
export function writeHttp2FrameHead(
  into: Buffer,
  at: number,
  kind: number,
  stream: number,
  payloadBytes: number,
): void {
  into[at] = payloadBytes >>> 16;
  into[at + 1] = payloadBytes >>> 8;
  into[at + 2] = payloadBytes;
  into[at + 3] = kind >>> 8;
  into[at + 4] = kind;
  into[at + 5] = stream >>> 24;
  into[at + 6] = stream >>> 16;
  into[at + 7] = stream >>> 8;
  into[at + 8] = stream;
}

export function resetFrame(stream: number, code: ErrorCode): Buffer {
  const frame = newFrame(frameType.reset, 0, stream, 4);
  frame.writeUInt32BE(code, frameHeaderBytes);
  return frame;
}

export function windowUpdateFrame(stream: number, bytes: number): Buffer {
  const frame = newFrame(frameType.windowUpdate, 0, stream, 4);
  frame.writeUInt32BE(bytes, frameHeaderBytes);
  return frame;
}

export function pingFrame(flags: number, payload: Uint8Array): Buffer {
  const frame = newFrame(frameType.ping, flags, 0, 8);
  frame.set(payload, frameHeaderBytes);
  return frame;
}

export function goawayFrame(lastStream: number, code: ErrorCode): Buffer {
  const frame = newFrame(frameType.goaway, 0, 0, 8);
  frame.writeUInt32BE(lastStream, frameHeaderBytes);
  frame.writeUInt32BE(code, frameHeaderBytes + 4);
  return frame;
}

export function settingsFrame(settings: readonly (readonly [id: number, value: number])[]): Buffer {
  const frame = newFrame(frameType.settings, 0, 0, settings.length * 6);
  for (const [at, [id, value]] of settings.entries()) {
    frame.writeUInt16BE(id, frameHeaderBytes + at * 6);
    frame.writeUInt32BE(value, frameHeaderBytes + at * 6 + 2);
  }
  return frame;
}

export function settingsAck(): Buffer {
  return newFrame(frameType.settings, frameFlag.ack, 0, 0);
}
