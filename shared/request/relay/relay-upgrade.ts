import type { ClientRequest, IncomingMessage } from 'node:http';
import { isUpgraded, upgradeAnswer } from '#shared/request/ask-for-upgrade.ts';
import type { DirectReads } from '#shared/request/direct-reads.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import { joinUpgraded, type UpgradedConnection } from '#shared/request/join-connections.ts';
import { limitRate } from '#shared/request/limit-rate.ts';

export interface UpgradeOutcomes {
  /** Answers the client of a server that gave no answer, or throws the error that does. */
  readonly onFailure: (error: unknown) => void;
  /** Told of the server's 101 before the client gets it. */
  readonly onUpgrade?: (answer: IncomingMessage) => void;
  /** Passes the answer of a server that has not upgraded on to the client. */
  readonly onRefusal: (answer: IncomingMessage) => void;
  /** Of the connection, each way. Default: 0, for no limit. */
  readonly bytesPerSecond?: number;
}

/**
 * Sends a request for an upgrade, which was made with the options of `reads`. The client's connection is joined to the
 * server's only after the server has answered 101. Either side that goes away ends the other.
 */
export async function relayUpgrade(
  exchange: Exchange,
  request: ClientRequest,
  reads: DirectReads,
  { onFailure, onUpgrade, onRefusal, bytesPerSecond = 0 }: UpgradeOutcomes,
): Promise<void> {
  exchange.onClose(() => request.destroy());
  let answer: UpgradedConnection | IncomingMessage;
  try {
    answer = await upgradeAnswer(request, reads);
  } catch (error) {
    if (!exchange.closed && !exchange.responded) onFailure(error);
    return;
  }
  if (!isUpgraded(answer)) return onRefusal(answer);
  onUpgrade?.(answer.response);
  joinUpgraded(exchange, limitRate(answer, bytesPerSecond));
}
