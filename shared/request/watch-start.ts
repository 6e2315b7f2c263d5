/** When a watch counts as begun for flow control: it holds its seats until its initial events have been sent. */
export interface WatchStartSignal {
  /** Whether the server behind this process says it. If not, the head of the answer counts. */
  isTold: boolean;
  /** Called when the initial events have been sent; further calls do nothing. */
  readonly begun: () => void;
}

/** The note of a backend that the initial events of a watch have been sent, beside those of `shared/audit/material`. */
export const watchBegunNote = Uint8Array.of(255);

export function isWatchBegunNote(note: Uint8Array): boolean {
  return note.length === 1 && note[0] === watchBegunNote[0];
}
