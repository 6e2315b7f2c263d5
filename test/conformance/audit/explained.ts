import type { JsonObject } from '#shared/apimachinery/json/json.ts';

/** A difference that is meant. */
interface Explanation {
  /** A line of the difference. */
  readonly line: RegExp;
  /** Which events it is of; all without. */
  readonly of?: (events: readonly JsonObject[]) => boolean;
}

const explanations: readonly Explanation[] = [
  // plugin/pkg/auth/authorizer/rbac lists bindings from an informer's index, which is a Go map: each of several that
  // allow a request may be the one that is named.
  { line: /reason: want "RBAC: allowed by .* have "RBAC: allowed by / },
  // The age of what the slow webhooks held back.
  { line: /^ResponseComplete\.responseObject\.rows\[0\]\.cells\[2\]: want "\ds" have "\ds"$/ },
  // golang.org/x/net/websocket refuses a handshake after the connection was taken over, which the reference logs as 101;
  // here the event tells what the client got.
  {
    line: /^Response(?:Started|Complete)\.responseStatus\.code: want 101 have 400$/,
    of: (events) => events.some(({ requestURI }) => String(requestURI).includes('/pods/streamed/exec?')),
  },
  // net/http holds back the first 4 KB of an answer until the proxy's flush (pkg/util/proxy/upgradeaware.go, every
  // 200 ms): what is broken off before reaches no client of the reference at all.
  {
    line: /^status: want 0 have 200$/,
    of: (events) => events.some(({ requestURI }) => /\/things\/(?:short|broken|odd-chunk)$/.test(String(requestURI))),
  },
  // net/http and net/textproto say what is wrong with the head of an answer, Node.js that something is.
  {
    line: /\.response(?:Status|Object)\.message: want .*(?:malformed|bad Content-Length)/,
    of: (events) =>
      events.some(({ requestURI }) => /\/proxy\/things\/(?:no-http|odd-length|no-more)$/.test(String(requestURI))),
  },
];

export function isExplained(line: string, events: readonly JsonObject[]): boolean {
  return explanations.some(({ line: pattern, of }) => pattern.test(line) && of?.(events) !== false);
}
