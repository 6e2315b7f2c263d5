import type { WatchRecord, WatchStep } from '#test/robustness/workload/history.ts';
import { difference } from './check-reads.ts';
import type { ResourceTimeline, WatchedChange } from './resource-timeline.ts';

const mostMessages = 5;

/** A watcher that starts from a list and goes on over every loss must see each change once and in order. */
export function checkWatch(timeline: ResourceTimeline, watch: WatchRecord): string[] {
  return new WatchReplay(timeline, watch).check();
}

class WatchReplay {
  readonly #timeline: ResourceTimeline;
  readonly #watch: WatchRecord;
  readonly #changes: readonly WatchedChange[];
  readonly #wrong: string[] = [];
  /** Everything up to here is known to the watcher; −1 while it is told the state. */
  #at = 0;
  #next = 0;
  /** What it was told while the state was streamed, by name. */
  #state = new Map<string, string>();

  constructor(timeline: ResourceTimeline, watch: WatchRecord) {
    this.#timeline = timeline;
    this.#watch = watch;
    this.#changes = timeline.changes(watch.color);
  }

  check(): string[] {
    for (const step of this.#watch.steps) {
      this.#take(step);
      if (this.#wrong.length >= mostMessages) return this.#wrong;
    }
    const missing = this.#changes.slice(this.#next);
    if (this.#at >= 0 && missing.length > 0)
      this.#say(`did not see ${missing.length} changes after ${this.#at}, the first ${text(missing[0])}`);
    return this.#wrong;
  }

  #take(step: WatchStep): void {
    if (step.kind === 'listed') {
      const expected = this.#timeline.stateAt(step.revision, this.#watch.color);
      if (expected.join() !== step.items.join())
        this.#say(`listed at ${step.revision} ${difference(expected, step.items)}`);
      this.#move(step.revision);
    } else if (step.kind === 'streaming') {
      this.#at = -1;
      this.#state = new Map();
    } else if (this.#at < 0) this.#takeInitial(step);
    else if (step.kind === 'bookmark') this.#takeBookmark(step.revision);
    else this.#takeEvent(step);
  }

  #takeInitial(step: WatchStep & { kind: 'event' | 'bookmark' }): void {
    if (step.kind === 'event') {
      if (step.type === 'DELETED') this.#state.delete(step.name);
      else this.#state.set(step.name, `${step.name}@${step.revision}`);
      return;
    }
    if (!step.endOfInitial) return;
    const expected = this.#timeline.stateAt(step.revision, this.#watch.color);
    const streamed = [...this.#state.keys()].sort().map((name) => this.#state.get(name) ?? '');
    if (expected.join() !== streamed.join())
      this.#say(`was streamed the state at ${step.revision} with ${difference(expected, streamed)}`);
    this.#move(step.revision);
  }

  #takeBookmark(revision: number): void {
    const due = this.#changes[this.#next];
    if (due !== undefined && due.revision <= revision) this.#say(`has a bookmark at ${revision} before ${text(due)}`);
    if (revision < this.#at) this.#say(`has a bookmark at ${revision} after ${this.#at}`);
    this.#move(Math.max(revision, this.#at));
  }

  #takeEvent(step: WatchStep & { kind: 'event' }): void {
    const due = this.#changes[this.#next];
    if (due === undefined || due.type !== step.type || due.name !== step.name || due.revision !== step.revision) {
      this.#say(`was told ${step.type} ${step.name}@${step.revision} after ${this.#at}, due was ${text(due)}`);
    }
    this.#move(step.revision);
  }

  #move(revision: number): void {
    this.#at = revision;
    let next = 0;
    while ((this.#changes[next]?.revision ?? Infinity) <= revision) next++;
    this.#next = next;
  }

  #say(what: string): void {
    this.#wrong.push(`watch ${this.#watch.label} ${what}`);
  }
}

function text(change: WatchedChange | undefined): string {
  return change === undefined ? 'nothing' : `${change.type} ${change.name}@${change.revision}`;
}
