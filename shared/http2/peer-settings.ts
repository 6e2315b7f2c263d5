import { ConnectionFault, errorCode, largestFrameLimit, largestWindow, setting, smallestFrameLimit } from './frames.ts';

/** More settings in one frame would only cause work (golang.org/x/net/http2, server.go, processSettings). */
const maxSettings = 100;

/** The settings that the peer sent; others are absent. */
export interface PeerSettings {
  headerTableSize?: number;
  initialWindowSize?: number;
  maxFrameSize?: number;
}

/** Reads the payload of SETTINGS (RFC 9113 section 6.5). @throws ConnectionFault */
export function readSettings(payload: Buffer): PeerSettings {
  if (payload.length % 6 !== 0) throw new ConnectionFault(errorCode.frameSize, 'SETTINGS of a wrong length');
  if (payload.length / 6 > maxSettings) throw new ConnectionFault(errorCode.protocol, 'too many settings');
  const settings: PeerSettings = {};
  const seen = new Set<number>();
  for (let at = 0; at < payload.length; at += 6) {
    const id = payload.readUInt16BE(at);
    if (seen.has(id)) throw new ConnectionFault(errorCode.protocol, 'a setting twice');
    seen.add(id);
    readSetting(id, payload.readUInt32BE(at + 2), settings);
  }
  return settings;
}

function readSetting(id: number, value: number, settings: PeerSettings): void {
  if (id === setting.headerTableSize) settings.headerTableSize = value;
  else if (id === setting.enablePush && value > 1)
    throw new ConnectionFault(errorCode.protocol, 'ENABLE_PUSH is neither 0 nor 1');
  else if (id === setting.initialWindowSize) {
    if (value > largestWindow) throw new ConnectionFault(errorCode.flowControl, 'INITIAL_WINDOW_SIZE too large');
    settings.initialWindowSize = value;
  } else if (id === setting.maxFrameSize) {
    if (value < smallestFrameLimit || value > largestFrameLimit)
      throw new ConnectionFault(errorCode.protocol, 'MAX_FRAME_SIZE out of range');
    settings.maxFrameSize = value;
  }
}
