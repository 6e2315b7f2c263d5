import type { Exchange, ListenerTrust } from '#shared/request/exchange.ts';

/** Takes over a request. Must not throw. */
export type ExchangeHandler = (exchange: Exchange) => void;

/** An open listener. */
export interface Listener {
  /** Whether requests must be authenticated, or carry the identity that a trusted gateway determined. */
  readonly trust: ListenerTrust;
  /** Empty for a Unix socket. */
  readonly host: string;
  /** 0 for a Unix socket. */
  readonly port: number;
  /** Path of the Unix socket; empty for TLS. */
  readonly path: string;
  /**
   * Accepts no new connections; open ones end when their requests are done (GOAWAY, `Connection: close`). Resolves when
   * requests that clients sent before they learned of this have arrived.
   */
  stopAccepting(): Promise<void>;
  /** Resolves when no client is connected; only for internal listeners. */
  unused?(): Promise<void>;
  /** Whether some written bytes have not been passed to the operating system yet; {@link destroy} would lose them. */
  readonly isSending: boolean;
  /** Destroys the connections that are still open. */
  destroy(): void;
  /** Resolves a second after {@link destroy} at the latest, when TLS clients were told of the end; only with TLS. */
  ended?(): Promise<void>;
  /** New handshakes use this certificate; only with TLS. */
  replaceCertificate?(cert: string | Buffer, key: string | Buffer): void;
}

/** Opens a listener that passes requests to `onExchange`. Rejects if it cannot be opened. */
export type OpenListener = (onExchange: ExchangeHandler) => Promise<Listener>;
