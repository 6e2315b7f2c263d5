import { createHash, randomInt, randomUUID } from 'node:crypto';

/** What is chosen by chance and seen by clients in objects: uids, generated names, addresses, ports. */
export class Draws {
  readonly #seed: string | undefined;
  /** How often each subject was drawn by a seed; it grows with the names that clients choose, in tests alone. */
  readonly #drawn = new Map<string, number>();

  /**
   * @param seed gives each subject a series of its own, so that what else is drawn meanwhile changes nothing. Nothing is
   * secret then. Without it all is drawn by chance
   */
  constructor(seed?: string) {
    this.#seed = seed;
  }

  /** @returns a UUID (RFC 9562, version 4) */
  uuid(subject: string): string {
    if (this.#seed === undefined) return randomUUID();
    const bytes = this.#next(`uuid ${subject}`);
    bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
    const hex = bytes.toString('hex', 0, 16);
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  }

  /** @returns a whole number from 0 to below `limit`, which is at most 2^48 - 1 */
  below(limit: number, subject: string): number {
    if (this.#seed === undefined) return randomInt(limit);
    return this.#next(`number ${subject}`).readUIntBE(0, 6) % limit;
  }

  #next(subject: string): Buffer {
    const nth = this.#drawn.get(subject) ?? 0;
    this.#drawn.set(subject, nth + 1);
    return createHash('sha256')
      .update(JSON.stringify([this.#seed, subject, nth]))
      .digest();
  }
}

let draws = new Draws();

/** From now on this process draws what a seed gives, for clusters of tests. */
export function seedDraws(seed: string): void {
  draws = new Draws(seed);
}

/** @param subject what the UUID is drawn for */
export function drawUuid(subject: string): string {
  return draws.uuid(subject);
}

/**
 * @param limit is greater than the number; at most 2^48 - 1
 * @param subject what the number is drawn for
 */
export function drawBelow(limit: number, subject: string): number {
  return draws.below(limit, subject);
}
