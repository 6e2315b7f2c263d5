import type { Timeline } from '#test/conformance/shutdown/timeline.ts';

/** A server whose end is observed. */
export interface Target {
  readonly url: string;
  readonly token: string;
  readonly timeline: Timeline;
  /** Aborted when the observation is over. */
  readonly over: AbortSignal;
}

/** Time between two requests of a probe. */
export const everyMs = 50;

export function headersOf({ token }: Target): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/** The parts of an answer that must be the same on both servers. */
export function answerText(status: number, headers: Readonly<Record<string, unknown>>, text: string): string {
  const shown = ['connection', 'retry-after'].flatMap((name) =>
    headers[name] === undefined ? [] : [`${name}: ${String(headers[name])}`],
  );
  return [String(status), ...shown, text].filter((part) => part !== '').join(' | ');
}
