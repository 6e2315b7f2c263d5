import type { Gates } from './gates.ts';

/** Settings from this server's flags on which the rules of built-in types depend. */
export interface RuleOptions {
  readonly gates: Gates;
  /**
   * Whether privileged containers and Windows HostProcess containers are allowed (`--allow-privileged`,
   * pkg/capabilities).
   */
  readonly allowPrivileged: boolean;
}
