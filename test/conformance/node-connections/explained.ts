import type { Explanation } from '#test/conformance/proxies/compare.ts';

/** Requests whose answers differ on purpose, and why. */
export const explained: readonly Explanation[] = [
  {
    names: /container=text-gzip/,
    why: 'the reference asks kubelets for compressed logs and unpacks them (net/http, Transport); no kubelet sends such, and none is asked for them here',
  },
  {
    names: /(?: h2c| SPDY\/3) |\{"connection":"Upgrade"\}$/,
    why: 'only WebSockets and SPDY/3.1 are handed over; the reference gives a client a bare connection to the kubelet in whatever protocol it names (upgradeaware.go, tryUpgrade)',
  },
  {
    names:
      /(?:POST|PUT) .* websocket .*v5\.channel|sec-websocket-version":"8"|\{"sec-websocket-protocol":"v5.channel.k8s.io","sec-websocket-(?:version|key)":"[^"]*"\}$/,
    why: 'headers of the chain stand on every answer; the reference writes a refusal of the handshake to the bare connection (golang.org/x/net/websocket, server.go)',
  },
  { names: /log.* websocket .*(?:bogus"|"v4\.channel|BINARY)/, why: 'the same' },
  {
    names: /(?:told\/log(?:\?follow=true)?|container=chunked) websocket/,
    why: 'the reference loses what of a log comes together with its end (wsstream/stream.go, Reader.Copy)',
  },
];
