import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Function as PprofFunction, Line, Location, Profile, Sample, StringTable, ValueType } from 'pprof-format';

/** A function on a stack, as V8 tells it. Lines count from 0. */
export interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

/** A kind of value and its unit: `['cpu', 'nanoseconds']`. */
export type SampleKind = readonly [type: string, unit: string];

export interface PprofOptions {
  readonly kinds: readonly SampleKind[];
  /** What lies between two samples. */
  readonly period: readonly [kind: SampleKind, value: number];
  /** Microseconds since the epoch. */
  readonly startUs: number;
  readonly durationUs: number;
}

/** Builds a profile in the form of pprof (github.com/google/pprof, proto/profile.proto), for `go tool pprof`. */
export class PprofBuilder {
  readonly #strings = new StringTable();
  readonly #profile: Profile;
  /** By name, file and line, which are joined by a character that none of them has. */
  readonly #ids = new Map<string, number>();

  constructor({ kinds, period: [periodKind, period], startUs, durationUs }: PprofOptions) {
    this.#profile = new Profile({
      sampleType: kinds.map((kind) => this.#valueType(kind)),
      periodType: this.#valueType(periodKind),
      period,
      timeNanos: BigInt(Math.round(startUs)) * 1000n,
      durationNanos: Math.round(durationUs * 1000),
      stringTable: this.#strings,
    });
  }

  /** Adds a stack, the innermost function first, with a value for each kind. */
  add(stack: readonly CallFrame[], value: number[]): void {
    this.#profile.sample.push(new Sample({ locationId: stack.map((frame) => this.#locationOf(frame)), value }));
  }

  /** The profile, compressed. */
  async encode(): Promise<Buffer> {
    return await promisify(gzip)(await this.#profile.encodeAsync());
  }

  #valueType([type, unit]: SampleKind): ValueType {
    return new ValueType({ type: this.#strings.dedup(type), unit: this.#strings.dedup(unit) });
  }

  #locationOf({ functionName, url, lineNumber }: CallFrame): number {
    const name = functionName === '' ? '(anonymous)' : functionName;
    const key = `${name}\0${url}\0${lineNumber}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#ids.size + 1;
    this.#ids.set(key, id);
    const [nameId, line] = [this.#strings.dedup(name), lineNumber + 1];
    const filename = this.#strings.dedup(url);
    this.#profile.function.push(new PprofFunction({ id, name: nameId, systemName: nameId, filename, startLine: line }));
    this.#profile.location.push(new Location({ id, line: [new Line({ functionId: id, line })] }));
    return id;
  }
}
