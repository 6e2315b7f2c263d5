/**
 * The head of a frame: many calls share one byte stream.
 *
 *   u32 payload length · u32 id · u8 type · u8 flags · payload        (big endian)
 *
 * What ids, types and flags mean is a matter of the protocol that is spoken in frames.
 */
export const frameHeadBytes = 10;

/** Fills the head of a frame; the payload follows in this buffer and, if `extraBytes` is set, in further buffers. */
export function writeFrameHead(frame: Buffer, id: number, type: number, flags: number, extraBytes = 0): Buffer {
  frame.writeUInt32BE(frame.length - frameHeadBytes + extraBytes, 0);
  frame.writeUInt32BE(id, 4);
  frame[8] = type;
  frame[9] = flags;
  return frame;
}

export function frameId(frame: Buffer): number {
  return frame.readUInt32BE(4);
}
