/** A request for a page for debugging, by HTTP or by a socket. */
export interface DebugRequest {
  readonly method: string;
  /** `/debug/pprof/profile` */
  readonly path: string;
  readonly query: { get(name: string): string | null | undefined };
  /** Reads the body, which is short. */
  body(): Promise<string>;
  /** Says that nobody waits for the answer. */
  readonly signal: AbortSignal;
}

export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** Undefined for paths of others. */
export type DebugPages = (request: DebugRequest) => Promise<PageAnswer | undefined>;
