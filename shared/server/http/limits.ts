/** Transport limits; values of the reference where it has them (apiserver/pkg/server/secure_serving.go). */
export const limits = Object.freeze({
  /** All header names and values of a request; over it: 431. */
  headerBytes: 1024 * 1024,
  http2Streams: 100,
  http2FrameBytes: 256 * 1024,
  /** A connection without requests is closed after this time. */
  idleConnectionMs: 90_000,
  /** Time for the head of a request. */
  headersMs: 32_000,
  handshakeMs: 10_000,
  /** How long the rest of a refused request is read before the connection is destroyed. */
  lingerMs: 1000,
  /** How long to wait for the rest of a body after its request was answered. */
  restOfBodyMs: 3_000,
  /**
   * Time between announcing the end of a connection and ending it; requests that clients send in between are still
   * served.
   */
  farewellMs: 200,
  /**
   * TCP keep-alive as in Go (secure_serving.go, net.KeepAliveConfig): a machine that is gone is detected after about
   * five minutes.
   */
  tcpKeepAlive: { enable: true, initialDelay: 180_000, interval: 15_000, count: 9 },
});
