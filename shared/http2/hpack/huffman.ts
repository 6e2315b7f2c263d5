/**
 * How many bits the code of each byte has. The code is canonical, so the lengths define it (RFC 7541 appendix B).
 */
const codeLengths: readonly number[] = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28,
  28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
  13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, 15, 5, 6, 5, 6,
  5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23,
  22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22,
  23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, 26, 26,
  20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27,
  27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27,
  27, 27, 27, 26,
];

/** An edge of the automaton: the state that four bits lead to, with the byte that they complete, if any. */
const completesByte = 1 << 16;
const isFault = 1 << 17;

interface Automaton {
  /** For state and four bits: the next state in bits 0 to 7, the byte in bits 8 to 15, and the marks above. */
  readonly edges: Int32Array;
  /** States in which a text may end: after its last byte come at most seven bits, all set. */
  readonly mayEnd: Uint8Array;
}

let automaton: Automaton | undefined;

/**
 * Decodes `bytes` from `start` to `end` into `into`, which has room for 8/5 of them.
 * @returns the number of decoded bytes; -1 when the text is not valid (RFC 7541 section 5.2)
 */
export function decodeHuffman(bytes: Uint8Array, start: number, end: number, into: Uint8Array): number {
  const { edges, mayEnd } = (automaton ??= buildAutomaton());
  let state = 0;
  let length = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    let edge = edges[(state << 4) | (byte >> 4)] as number;
    if (edge >= completesByte) {
      if (edge >= isFault) return -1;
      into[length++] = (edge >> 8) & 0xff;
    }
    edge = edges[((edge & 0xff) << 4) | (byte & 0xf)] as number;
    if (edge >= completesByte) {
      if (edge >= isFault) return -1;
      into[length++] = (edge >> 8) & 0xff;
    }
    state = edge & 0xff;
  }
  return mayEnd[state] === 1 ? length : -1;
}

/** A node of the code's tree: `next` is where a 0 and a 1 lead to. A byte is a leaf. */
interface Branch {
  readonly state: number;
  readonly next: [Branch | number | undefined, Branch | number | undefined];
}

function buildAutomaton(): Automaton {
  const branches: Branch[] = [];
  const newBranch = (): Branch => {
    const branch: Branch = { state: branches.length, next: [undefined, undefined] };
    branches.push(branch);
    return branch;
  };
  const root = newBranch();
  for (const [byte, code] of canonicalCodes()) {
    const bits = codeLengths[byte] as number;
    let branch = root;
    for (let bit = bits - 1; bit > 0; bit--) {
      const side = ((code >>> bit) & 1) as 0 | 1;
      branch = (branch.next[side] ??= newBranch()) as Branch;
    }
    branch.next[(code & 1) as 0 | 1] = byte;
  }
  const edges = new Int32Array(branches.length << 4);
  for (const branch of branches)
    for (let bits = 0; bits < 16; bits++) edges[(branch.state << 4) | bits] = edgeOf(root, branch, bits);
  const mayEnd = new Uint8Array(branches.length);
  for (
    let padding: Branch | number | undefined = root, bits = 0;
    typeof padding === 'object' && bits < 8;
    padding = padding.next[1], bits++
  )
    mayEnd[padding.state] = 1;
  return { edges, mayEnd };
}

function edgeOf(root: Branch, from: Branch, bits: number): number {
  let at = from;
  let marks = 0;
  for (let bit = 3; bit >= 0; bit--) {
    const next = at.next[((bits >> bit) & 1) as 0 | 1];
    // The only code without a byte is that of EOS, which must not occur.
    if (next === undefined) return isFault;
    if (typeof next === 'number') marks = completesByte | (next << 8);
    at = typeof next === 'number' ? root : next;
  }
  return marks | at.state;
}

/** Codes of one length follow one another in the order of the bytes. */
function canonicalCodes(): Map<number, number> {
  const bytes = [...codeLengths.keys()].toSorted(
    (a, b) => (codeLengths[a] as number) - (codeLengths[b] as number) || a - b,
  );
  const codes = new Map<number, number>();
  let code = 0;
  let bits = codeLengths[bytes[0] as number] as number;
  for (const byte of bytes) {
    const length = codeLengths[byte] as number;
    code <<= length - bits;
    bits = length;
    codes.set(byte, code++);
  }
  return codes;
}
