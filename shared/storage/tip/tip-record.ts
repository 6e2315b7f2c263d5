import { crc32 } from 'node:zlib';

/** The bytes of one revision: a float64, and its CRC-32. Releases before 2 wrote a file of these alone. */
export const revisionBytes = 12;
export const tipBytes = 48;
const [ownerSumAt, deviceAt, inodeAt, nonceAt] = [12, 16, 24, 32] as const;
const nonceBytes = tipBytes - nonceAt;

/** The file itself, by which a copy of it is told from it. */
export interface FileIdentity {
  readonly device: bigint;
  readonly inode: bigint;
}

/**
 * The contents of `store.tip`: the newest acknowledged revision of a store, then device and inode of the file, and a
 * random number of the process that writes it. A reader that meets a half-written revision sees a wrong checksum.
 */
export class TipRecord {
  readonly bytes = Buffer.alloc(tipBytes);
  readonly #revision = this.bytes.subarray(0, 8);

  /** `isDurable`: the database is not older, even after a power failure. Otherwise the checksum is inverted. */
  setRevision(revision: number, isDurable: boolean): void {
    this.bytes.writeDoubleLE(revision, 0);
    const sum = crc32(this.#revision);
    this.bytes.writeUInt32LE(isDurable ? sum : invert(sum), 8);
  }

  /** Undefined if it is half-written or damaged. */
  revision(): number | undefined {
    const [sum, written] = [crc32(this.#revision), this.bytes.readUInt32LE(8)];
    return written === sum || written === invert(sum) ? this.bytes.readDoubleLE(0) : undefined;
  }

  /** The revision if the database cannot be older. */
  durableRevision(): number | undefined {
    return this.bytes.readUInt32LE(8) === crc32(this.#revision) ? this.bytes.readDoubleLE(0) : undefined;
  }

  setOwner({ device, inode }: FileIdentity, nonce: Uint8Array): void {
    if (nonce.length !== nonceBytes) throw new RangeError(`a nonce has ${nonceBytes} bytes`);
    this.bytes.writeBigUInt64LE(device, deviceAt);
    this.bytes.writeBigUInt64LE(inode, inodeAt);
    this.bytes.set(nonce, nonceAt);
    this.bytes.writeUInt32LE(this.#ownerSum(), ownerSumAt);
  }

  /** Whether a store wrote this into the very file that it was read from. */
  isIn({ device, inode }: FileIdentity): boolean {
    return (
      this.bytes.readUInt32LE(ownerSumAt) === this.#ownerSum() &&
      this.bytes.readBigUInt64LE(deviceAt) === device &&
      this.bytes.readBigUInt64LE(inodeAt) === inode
    );
  }

  hasNonce(nonce: Uint8Array): boolean {
    return this.bytes.subarray(nonceAt).equals(nonce);
  }

  #ownerSum(): number {
    return crc32(this.bytes.subarray(deviceAt));
  }
}

function invert(sum: number): number {
  return ~sum >>> 0;
}
