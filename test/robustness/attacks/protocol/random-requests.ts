import type { SeededRandom } from '#test/robustness/faults/seeded-random.ts';
import { frame } from '#test/robustness/hostile/raw-connection.ts';
import { frameFlag, frameType, headerBlock, headersFrames } from './http2-wire.ts';
import type { Field } from './http2-wire.ts';
import { bodies, methods, names, pieces, senders, targets, values } from './random-words.ts';

/** A whole number below `end`. */
function below(random: SeededRandom, end: number): number {
  return random.between(0, end - 1);
}

interface Drawn {
  readonly method: string;
  readonly target: string;
  readonly fields: readonly Field[];
  readonly body: string;
}

function draw(random: SeededRandom): Drawn {
  const fields = [...random.pick(senders)];
  for (let more = random.chance(0.5) ? 0 : below(random, 4); more > 0; more--)
    fields.splice(below(random, fields.length + 1), 0, [random.pick(names), random.pick(values)]);
  let target: string = random.pick(targets);
  for (let more = random.chance(0.5) ? 0 : below(random, 3); more > 0; more--) {
    const at = below(random, target.length + 1);
    target = target.slice(0, at) + random.pick(pieces) + target.slice(at);
  }
  return { method: random.pick(methods), target, fields, body: random.pick(bodies) };
}

/**
 * One to three requests on a connection; each line may be spelled wrongly, and bytes may be lost, doubled or changed.
 */
export function randomHttp1(random: SeededRandom): Buffer {
  const requests = Array.from({ length: 1 + below(random, 3) }, () => {
    const { method, target, fields, body } = draw(random);
    const end = random.chance(0.9) ? '\r\n' : random.pick(['\n', '\r', '\r\n ', '\r\n\t']);
    const version = random.chance(0.9) ? 'HTTP/1.1' : random.pick(['HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'http/1.1', '']);
    const length = random.pick([
      [],
      [`Content-Length: ${body.length}`],
      [`Content-Length: ${body.length}`],
      ['Content-Length: 3', `Content-Length: ${body.length}`],
      ['Transfer-Encoding: chunked', `Content-Length: ${body.length}`],
      ['Transfer-Encoding: chunked'],
    ]);
    const colon = random.chance(0.9) ? ': ' : random.pick([':', ' : ', ' ']);
    const lines = [
      `${method} ${target} ${version}`,
      'Host: a',
      ...fields.map(([name, value]) => name + colon + value),
      ...length,
    ];
    const chunked =
      length.includes('Transfer-Encoding: chunked') && below(random, 2) === 0
        ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
        : body;
    return lines.map((line) => line + end).join('') + end + chunked;
  });
  return mutated(Buffer.from(requests.join(''), 'latin1'), random);
}

/** Streams of requests between other frames, whole or broken. */
export function randomHttp2(random: SeededRandom): Buffer {
  const frames: Buffer[] = [];
  for (let count = 1 + below(random, 6), stream = 1; count > 0; count--) {
    if (below(random, 3) === 0)
      frames.push(
        frame(
          below(random, 12),
          below(random, 256),
          random.pick([0, 1, stream, stream + 2, 2, 0x7fff_ffff]),
          randomBytes(random, random.pick([0, 1, 4, 5, 6, 8, 9, 100])),
        ),
      );
    const { method, target, fields, body } = draw(random);
    const lower = below(random, 8) !== 0;
    const pseudo: Field[] = [
      [':method', method],
      [':scheme', random.pick(['https', 'https', 'https', 'http', '', 'x'])],
      [':authority', random.pick(['a', 'a', '', 'a b', '[::1]'])],
      [':path', target],
    ];
    if (below(random, 10) === 0)
      pseudo.splice(below(random, 4), below(random, 2), [
        random.pick([':path', ':protocol', ':status', ':constructor', ':method']),
        random.pick(values),
      ]);
    const all = [...pseudo, ...fields.map(([name, value]): Field => [lower ? name.toLowerCase() : name, value])];
    if (below(random, 15) === 0) all.reverse();
    frames.push(headersFrames(stream, headerBlock(all), body === ''));
    if (body !== '')
      frames.push(
        frame(
          frameType.data,
          below(random, 4) === 0 ? 0 : frameFlag.endStream,
          stream,
          Buffer.from(body, 'latin1').subarray(0, 16_000),
        ),
      );
    if (below(random, 6) === 0) frames.push(frame(frameType.reset, 0, stream, Buffer.from([0, 0, 0, 8])));
    stream += random.pick([2, 2, 2, 0, 1]);
  }
  return mutated(Buffer.concat(frames), random);
}

function mutated(bytes: Buffer, random: SeededRandom): Buffer {
  if (!random.chance(0.2) || bytes.length === 0) return bytes;
  const at = below(random, bytes.length);
  switch (below(random, 4)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), randomBytes(random, 1 + below(random, 4)), bytes.subarray(at)]);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.min(bytes.length, at + 1 + below(random, 8)))]);
    default: {
      const copy = Buffer.from(bytes);
      copy[at] = below(random, 256);
      return copy;
    }
  }
}

function randomBytes(random: SeededRandom, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => below(random, 256)));
}
