import { frame } from '#test/robustness/hostile/raw-connection.ts';

export interface AskedFor {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Bearer token; undefined for nobody. */
  readonly token: string | undefined;
}

/** The bytes of an HTTP/2 request without its body: literal fields that enter no table, so that they fit any stream. */
export function headersFrame(stream: number, { method, path, token }: AskedFor, ends: boolean): Buffer {
  const fields = [
    literal(':method', method),
    literal(':scheme', 'https'),
    literal(':authority', 'localhost'),
    literal(':path', path),
  ];
  if (token !== undefined) fields.push(literal('authorization', `Bearer ${token}`));
  if (method === 'POST') fields.push(literal('content-type', 'application/json'));
  return frame(1, ends ? 0x05 : 0x04, stream, Buffer.concat(fields));
}

/** The head of an HTTP/1.1 request; `length` is what it says of its body. */
export function http1Head({ method, path, token }: AskedFor, length?: number): string {
  return (
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${token === undefined ? '' : `Authorization: Bearer ${token}\r\n`}` +
    `${length === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${length}\r\n`}\r\n`
  );
}

/**
 * A literal field without indexing (RFC 7541 section 6.2.2); names are short, values may be longer than a byte says.
 */
function literal(name: string, value: string): Buffer {
  return Buffer.concat([
    Buffer.from([0]),
    integer(name.length),
    Buffer.from(name),
    integer(value.length),
    Buffer.from(value),
  ]);
}

function integer(value: number): Buffer {
  const bytes = [];
  if (value < 127) return Buffer.from([value]);
  bytes.push(127);
  for (value -= 127; value >= 128; value >>= 7) bytes.push((value & 127) | 128);
  return Buffer.from([...bytes, value]);
}
