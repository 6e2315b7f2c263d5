import type { Exchange } from '#shared/request/exchange.ts';
import { ExchangeBase } from '#shared/server/exchange/exchange-base.ts';

/** Ends a running answer properly (end of stream, last chunk), for watches at shutdown. */
export function endExchange(exchange: Exchange): void {
  if (exchange instanceof ExchangeBase) (exchange as ExchangeBase).endNow();
}
