/** Differences that are meant, by the set-up, the kind of the first server and the name of the question. */
export const explained: ReadonlyMap<string, string> = new Map([
  [
    'settings: ours first: legacy',
    'the reference lists groups by the APIServices in storage, of which those of the last server that started remain (kube-aggregator/pkg/apiserver/handler_apis.go); here a server lists what it serves',
  ],
  [
    'settings: reference a watch by WebSocket',
    'the reference adds the user to requests in a round tripper, by which its upgrades do not go (apiserver/pkg/util/peerproxy/peerproxy_handler.go): the peer answers 401; here the watch works',
  ],
]);
