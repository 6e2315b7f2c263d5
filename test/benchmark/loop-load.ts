export interface Load {
  readonly name: string;
  readonly work: () => Promise<void>;
  /** Of the longest callback, where README.md says why it may take so long. */
  readonly allowedMs?: number;
}

export type NamedWork = readonly [name: string, work: () => Promise<void>, allowedMs?: number];
