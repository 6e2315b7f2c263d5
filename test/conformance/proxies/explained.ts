import type { Explanation } from './compare.ts';

/** Requests whose answers differ on purpose, and why. */
export const explained: readonly Explanation[] = [
  {
    names: /page-br/,
    why: 'the reference closes the body of a page whose encoding it does not know before it passes it on (apimachinery/pkg/util/proxy/transport.go, rewriteResponse)',
  },
  {
    names: /^HEAD .*page-(?:gzip|deflate|not-gzip)/,
    why: 'the reference reads the body that an answer to HEAD does not have (the same)',
  },
  { names: /page-not-gzip.*accept-encoding/, why: 'the reference names the reader that it could not make (the same)' },
  {
    names: /cut-off/,
    why: 'the reference holds an answer back for 200 ms (upgradeaware.go, defaultFlushInterval), so the client sees nothing of one that breaks off; here its beginning is passed on at once',
  },
  {
    names: /informs/,
    why: 'the reference clears its own headers, Audit-Id and Cache-Control among them, once it passed an informational answer on (net/http/httputil/reverseproxy.go, Got1xxResponse); here they stay',
  },
  { names: /garbage/, why: 'the words of two parsers (net/http/transfer.go, response.go)' },
  { names: /huge-headers/, why: 'headers of 1 MiB are enough (net/http/transport.go has 10 MiB)' },
  {
    names: /p:web\/proxy/,
    why: 'the reference panics for a port that no URL can have (upgradeaware.go, normalizeLocation)',
  },
  { names: /unknown-name/, why: 'Go names the server that it asked (net/dnsclient_unix.go)' },
  {
    names: /base64url\.bearer/,
    why: 'a token is never passed on, whichever credential was used (apiserver/pkg/authentication/request/websocket/protocol.go keeps it beside another one)',
  },
  {
    names: /proxy\/refuse/,
    why: 'headers of the chain stand on every answer; the reference writes a refusal to the bare connection (upgradeaware.go, tryUpgrade)',
  },
];
