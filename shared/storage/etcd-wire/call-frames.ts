import { frameHeadBytes, writeFrameHead } from '#shared/frames/frame-head.ts';

/**
 * etcd's calls in frames (`shared/frames`): the id of a frame is that of its call, its type the number of the method.
 *
 * The opener numbers its calls from 1. A unary call is one frame each way. A stream is any number of frames each way;
 * `end` marks the sender's last one (it carries no message). A frame with `error` ends the call; its payload is the
 * gRPC code (u8) and the text. `cancel` from the opener drops the call without an answer. There is no flow control of
 * single streams: a reader accepts every frame, a writer pauses when the socket's buffer is full.
 */
export const callFrameFlag = { end: 1, error: 2, cancel: 4 } as const;

export function errorFrame(callId: number, method: number, code: number, text: string): Buffer {
  const size = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(frameHeadBytes + 1 + size);
  frame[frameHeadBytes] = code;
  frame.write(text, frameHeadBytes + 1, 'utf8');
  return writeFrameHead(frame, callId, method, callFrameFlag.error);
}
