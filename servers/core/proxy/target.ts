import type { Agent as HttpAgent } from 'node:http';
import type { LookupFunction } from 'node:net';
import type { CoreContext } from '#servers/core/context/core-context.ts';
import { failureStatus, newServiceUnavailable, StatusError } from '#shared/apimachinery/errors/status.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { TargetAgents } from './target-agents.ts';
import type { TargetId } from './target-id.ts';

/** What targets are found and reached by. */
export interface TargetDependencies {
  readonly core: CoreContext;
  readonly agents: TargetAgents;
}

/** The target to which the proxy sends a request. */
export interface ProxyTarget {
  readonly scheme: 'http' | 'https';
  /** An address, or a name that {@link lookup} resolves; without brackets. */
  readonly host: string;
  readonly port: number;
  /** Host and port as in a URL: without a port if none was given, with brackets around an IPv6 address. */
  readonly authority: string;
  /**
   * The agent with the connections and the TLS settings. `isRepeatable`: the request can be sent again, so it may use a
   * kept-alive connection.
   */
  agent(isRepeatable: boolean): HttpAgent;
  /** Connections are made by a proxy of the egress selector, so that a request waits for its socket. */
  readonly isDialed: boolean;
  /** Of upgraded connections, each way; 0 for no limit. */
  readonly bytesPerSecond: number;
  /** Returns the addresses that were checked before. Absent if {@link host} is an address. */
  readonly lookup?: LookupFunction;
}

/**
 * The target at an address that `globalUnicast` has allowed. A port that no URL can have makes the reference panic
 * (apimachinery/pkg/util/proxy, normalizeLocation); here it is an error response.
 */
export function targetAt(scheme: TargetId['scheme'], address: string, port: string, agents: TargetAgents): ProxyTarget {
  const spoken = scheme === '' ? 'http' : scheme;
  if (!/^\d*$/.test(port)) throw new StatusError(failureStatus(500, '', `port ${goQuote(port)} is no number`));
  const authority = authorityOf(address, port);
  const number = port === '' ? defaultPorts[spoken] : Number(port);
  if (number > 65_535) throw unreachable(`dial tcp: address ${port}: invalid port`);
  // For port 0, Node.js would use the default port of the protocol instead.
  if (number === 0) throw unreachable(`dial tcp ${authority}: connect: connection refused`);
  return {
    scheme: spoken,
    host: address,
    port: number,
    authority,
    agent: (isRepeatable) => agents.of(spoken, isRepeatable),
    isDialed: agents.isDialed,
    bytesPerSecond: agents.bytesPerSecond,
  };
}

/** The reference's error for a target that cannot be reached. */
export function unreachable(why: string): StatusError {
  return newServiceUnavailable(`error trying to reach service: ${why}`);
}

const defaultPorts = { http: 80, https: 443 } as const;

function authorityOf(host: string, port: string): string {
  const bracketed = host.includes(':') ? `[${host}]` : host;
  return port === '' ? bracketed : `${bracketed}:${port}`;
}
