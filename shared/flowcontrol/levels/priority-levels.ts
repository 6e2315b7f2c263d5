import type { QueueSetClock } from '#shared/flowcontrol/queueset/queue-set-options.ts';
import { lendSeats } from './lend-seats.ts';
import type { LevelObserver } from './level-observer.ts';
import type { PriorityLevelConfiguration } from './priority-level-configuration.ts';
import { PriorityLevel } from './priority-level.ts';

export interface PriorityLevelsOptions {
  readonly clock: QueueSetClock;
  /** Seats of the whole server. */
  readonly serverLimit: number;
  readonly observerOf: (level: string) => LevelObserver;
  /** Levels that exist whether their objects do or not. */
  readonly mandatory: readonly PriorityLevelConfiguration[];
}

/** The priority levels by name, with the seats of the server divided among them. */
export class PriorityLevels {
  readonly #options: PriorityLevelsOptions;
  #levels = new Map<string, PriorityLevel>();
  #fairShare = 0;

  constructor(options: PriorityLevelsOptions) {
    this.#options = options;
    this.configure([]);
  }

  get all(): Iterable<PriorityLevel> {
    return this.#levels.values();
  }

  /** The share of its demand that each level gets which is not at a bound. */
  get fairShare(): number {
    return this.#fairShare;
  }

  get(name: string): PriorityLevel | undefined {
    return this.#levels.get(name);
  }

  /** Takes the objects as they are now. Levels without an object stay until their requests have ended. */
  configure(configurations: readonly PriorityLevelConfiguration[]): void {
    const levels = new Map<string, PriorityLevel>();
    for (const configuration of configurations) levels.set(configuration.name, this.#levelOf(configuration));
    for (const level of this.#levels.values()) this.#keepOld(level, levels);
    for (const configuration of this.#options.mandatory)
      if (!levels.has(configuration.name)) levels.set(configuration.name, this.#levelOf(configuration));
    this.#levels = levels;
    this.#divide();
  }

  /** Lends seats anew; each ten seconds. Levels that nobody uses any more go. */
  rebalance(): void {
    const gone = [...this.#levels.values()].filter(({ isQuiescing, queues }) => isQuiescing && queues.isIdle);
    for (const { configuration } of gone) this.#levels.delete(configuration.name);
    if (gone.length > 0) this.#divide();
    else this.#fairShare = lendSeats([...this.#levels.values()]);
  }

  #levelOf(configuration: PriorityLevelConfiguration): PriorityLevel {
    const known = this.#levels.get(configuration.name);
    if (known === undefined)
      return new PriorityLevel(configuration, this.#options.clock, this.#options.observerOf(configuration.name));
    known.configuration = configuration;
    known.isQuiescing = false;
    return known;
  }

  #keepOld(level: PriorityLevel, levels: Map<string, PriorityLevel>): void {
    const { name } = level.configuration;
    if (levels.has(name)) return;
    const isMandatory = this.#options.mandatory.some((mandatory) => mandatory.name === name);
    if (!isMandatory && level.queues.isIdle) return;
    level.isQuiescing = !isMandatory;
    levels.set(name, level);
  }

  #divide(): void {
    const levels = [...this.#levels.values()];
    const shareSum = levels.reduce((sum, { configuration }) => sum + configuration.shares, 0);
    for (const level of levels) level.setLimits(this.#options.serverLimit, shareSum);
    this.#fairShare = lendSeats(levels);
  }
}
