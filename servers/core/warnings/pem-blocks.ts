/** A block of a PEM file (RFC 7468, with the headers of RFC 1421 left out). */
export interface PemBlock {
  readonly type: string;
  readonly der: Buffer;
}

const [begin, end, dashes] = ['-----BEGIN ', '\n-----END ', '-----'];

/** The blocks of a text, by the rules of Go's encoding/pem: what is no block is passed over. */
export function* pemBlocks(text: string): Generator<PemBlock> {
  for (let from = 0; ;) {
    const endsAt = text.indexOf(end, from);
    if (endsAt < 0) return;
    const start = text.slice(from, endsAt).lastIndexOf(begin);
    const isFirst = start === 0 || text[from + start - 1] === '\n';
    const block = start >= 0 && isFirst ? blockAt(text, from + start, endsAt) : undefined;
    from = endsAt + end.length;
    if (block === undefined) continue;
    yield block;
    const line = text.indexOf('\n', from);
    from = line < 0 ? text.length : line + 1;
  }
}

function blockAt(text: string, start: number, endsAt: number): PemBlock | undefined {
  const typeEnd = text.indexOf('\n', start);
  const label = text.slice(start + begin.length, typeEnd).trimEnd();
  if (!label.endsWith(dashes)) return undefined;
  const lastLine = endsAt + end.length;
  const rest = text.indexOf('\n', lastLine);
  if (text.slice(lastLine, rest < 0 ? undefined : rest).trimEnd() !== label) return undefined;
  const base64 = withoutHeaders(text.slice(typeEnd + 1, Math.max(typeEnd + 1, endsAt))).replaceAll(/[ \t\r\n]/g, '');
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return undefined;
  return { type: label.slice(0, -dashes.length), der: Buffer.from(base64, 'base64') };
}

/** Headers are lines with a colon, which base64 has none of. */
function withoutHeaders(body: string): string {
  let from = 0;
  for (let colon = body.indexOf(':'); colon >= 0; colon = body.indexOf(':', from)) {
    const line = body.indexOf('\n', from);
    if (line >= 0 && line < colon) break;
    if (line < 0) return '';
    from = line + 1;
  }
  return body.slice(from);
}
