import { createHash } from 'node:crypto';

/** Bits of a hash that may be used up: with more, the last card would be dealt unevenly. */
const maxHashBits = 60;
const maxDeckSize = 1 << 26;

/** Whether hands of this size can be dealt from a deck of this size. */
export function canDeal(deckSize: number, handSize: number): boolean {
  if (handSize <= 0 || handSize > deckSize || deckSize > maxDeckSize) return false;
  return Math.ceil(Math.log2(deckSize) * handSize) <= maxHashBits;
}

/** The hash of a flow: 64 bits of SHA-256 over the name of its FlowSchema and its distinguisher. */
export function hashFlow(flowSchema: string, distinguisher: string): bigint {
  return createHash('sha256').update(`${flowSchema}\0${distinguisher}`).digest().readBigUInt64LE();
}

/**
 * The queues of a flow: `handSize` different numbers below `deckSize`, drawn by the hash
 * (apiserver/pkg/util/shufflesharding).
 */
export function dealHand(hash: bigint, deckSize: number, handSize: number): number[] {
  const hand: number[] = [];
  const drawn: number[] = [];
  let rest = hash;
  for (let i = 0; i < handSize; i++) {
    const cards = BigInt(deckSize - i);
    drawn.push(Number(rest % cards));
    rest /= cards;
    // The i-th draw is a place among the cards that are left: count over those that are gone.
    let card = drawn[i] as number;
    for (let j = i - 1; j >= 0; j--) if (card >= (drawn[j] as number)) card++;
    hand.push(card);
  }
  return hand;
}
