import type { Gates } from './gates.ts';

/** What flags of this server say to the rules of built-in types. */
export interface RuleSettings {
  readonly gates: Gates;
  /** Privileged containers and host processes of Windows (`--allow-privileged`, pkg/capabilities). */
  readonly allowPrivileged: boolean;
}
