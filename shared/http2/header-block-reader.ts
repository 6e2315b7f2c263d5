import { AbruptEnd, ConnectionFault, errorCode, frameFlag, StreamFault } from './frames.ts';
import { CompressionError, HeaderDecoder } from './hpack/decoder.ts';
import { withoutPadding } from './padding.ts';
import { HeadCollector } from './request-head.ts';

/** A complete header block. */
export interface HeaderBlock {
  readonly stream: number;
  readonly endStream: boolean;
  readonly collector: HeadCollector;
  /**
   * Whether the stream's priority names the stream itself. Priorities are ignored (RFC 9113 section 5.3.2), but this is
   * still a fault.
   */
  readonly dependsOnItself: boolean;
}

/** Most empty fragments in a header block: they cost a client next to nothing. */
const maxEmptyFragments = 100;

/** Puts header blocks together from HEADERS and CONTINUATION (RFC 9113 section 4.3). */
export class HeaderBlockReader {
  readonly #decoder: HeaderDecoder;
  readonly #headerBytes: number;
  #open: HeaderBlock | undefined;
  #emptyFragments = 0;

  constructor(headerBytes: number) {
    this.#headerBytes = headerBytes;
    this.#decoder = new HeaderDecoder(headerBytes);
  }

  /** Whether a header block is incomplete, so that a CONTINUATION must follow. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Handles HEADERS. @returns the block when it is complete @throws ConnectionFault, StreamFault, AbruptEnd */
  begin(flags: number, stream: number, frame: Buffer): HeaderBlock | undefined {
    if (stream === 0) throw new ConnectionFault(errorCode.protocol, 'HEADERS of no stream');
    let payload = withoutPadding(flags, frame);
    if (payload === undefined) throw new StreamFault(stream, errorCode.protocol, 'more padding than payload');
    let dependsOnItself = false;
    if ((flags & frameFlag.priority) !== 0) {
      if (payload.length < 5) throw new AbruptEnd('HEADERS too short for their priority');
      dependsOnItself = (payload.readUInt32BE(0) & 0x7fff_ffff) === stream;
      payload = payload.subarray(5);
    }
    this.#emptyFragments = 0;
    this.#open = {
      stream,
      endStream: (flags & frameFlag.endStream) !== 0,
      collector: new HeadCollector(this.#headerBytes),
      dependsOnItself,
    };
    return this.#add(this.#open, flags, payload);
  }

  /** Handles CONTINUATION. @returns the block when it is complete @throws ConnectionFault */
  continue(flags: number, stream: number, payload: Buffer): HeaderBlock | undefined {
    if (this.#open?.stream !== stream) throw new ConnectionFault(errorCode.protocol, 'CONTINUATION without HEADERS');
    return this.#add(this.#open, flags, payload);
  }

  #add(block: HeaderBlock, flags: number, fragment: Buffer): HeaderBlock | undefined {
    if (fragment.length === 0 && ++this.#emptyFragments > maxEmptyFragments)
      throw new ConnectionFault(errorCode.enhanceYourCalm, 'CONTINUATION of nothing');
    // After an invalid field, the size of the fields that follow is not counted any more.
    if (block.collector.isFaulty) throw new ConnectionFault(errorCode.protocol, 'CONTINUATION behind a wrong field');
    // A block slightly over the limit is read to its end, so that the request gets a response.
    if (fragment.length > block.collector.bytesLeft * 2)
      throw new ConnectionFault(errorCode.protocol, 'header block too large');
    try {
      this.#decoder.decode(fragment, block.collector);
      if ((flags & frameFlag.endHeaders) === 0) return undefined;
      this.#decoder.end();
    } catch (error) {
      throw error instanceof CompressionError ? new ConnectionFault(errorCode.compression, error.message) : error;
    }
    this.#open = undefined;
    return block;
  }
}

/** This server ignores PRIORITY, but the frame must be well-formed. @throws ConnectionFault, StreamFault */
export function checkPriority(stream: number, payload: Buffer): void {
  if (stream === 0) throw new ConnectionFault(errorCode.protocol, 'PRIORITY of no stream');
  if (payload.length !== 5) throw new ConnectionFault(errorCode.frameSize, 'PRIORITY of a wrong length');
  if ((payload.readUInt32BE(0) & 0x7fff_ffff) === stream)
    throw new StreamFault(stream, errorCode.protocol, 'a stream that depends on itself');
}
