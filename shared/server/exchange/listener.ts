import type { Exchange, ListenerTrust } from '../../request/exchange.ts';

/** Takes over a request. Must not throw. */
export type ExchangeHandler = (exchange: Exchange) => void;

/** An open door. */
export interface Listener {
  /** Whether requests must be authenticated, or carry the identity that a trusted gateway found. */
  readonly trust: ListenerTrust;
  /** Empty for a Unix socket. */
  readonly host: string;
  /** 0 for a Unix socket. */
  readonly port: number;
  /** Path of the Unix socket; empty for TLS. */
  readonly path: string;
  /**
   * No new connections; open ones end when their requests are done (GOAWAY, `Connection: close`). Resolves when what
   * was on its way as clients heard of it has come in.
   */
  stopAccepting(): Promise<void>;
  /** Resolves when nobody is connected; only of internal listeners. */
  unused?(): Promise<void>;
  /** Whether some of what was written has not been handed to the system yet: {@link destroy} would lose it. */
  readonly isSending: boolean;
  /** Cuts what is still open. */
  destroy(): void;
  /** New handshakes use this certificate; only with TLS. */
  replaceCertificate?(cert: string | Buffer, key: string | Buffer): void;
}

/** Opens a listener that hands over what comes in. Rejects when it cannot be opened. */
export type OpenListener = (onExchange: ExchangeHandler) => Promise<Listener>;
