import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, WebSocket } from 'undici';
import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import { adminToken } from '#test/tokens.ts';
import type { Comparison } from './comparison.ts';
import type { Answer, Peer } from './peer.ts';

const collection = '/api/v1/namespaces/ageing/configmaps';

/**
 * An object that is born, moves into the selection, changes, moves out, in again and dies, as watchers of several kinds
 * see it.
 */
export async function compareMoves(comparison: Comparison, peers: readonly [Peer, Peer]): Promise<void> {
  const selections = [
    'labelSelector=move%3Din',
    'labelSelector=move%21%3Din',
    'labelSelector=move',
    'fieldSelector=metadata.name%3Dmover',
    'labelSelector=move%3Din&fieldSelector=metadata.name%21%3Dmover',
    'labelSelector=move+notin+%28in%29',
  ];
  const seen = await Promise.all(
    peers.map(async (peer) => {
      const watches = selections.map((selection) =>
        peer.watch(`${collection}?watch=1&timeoutSeconds=4&resourceVersion={last}&${selection}`, 8000),
      );
      await move(peer);
      return Promise.all(watches);
    }),
  );
  for (const [index, selection] of selections.entries()) {
    const [have, want] = seen.map((answers) => answers[index]);
    if (have && want) comparison.note('moves', selection, have, want);
  }
}

async function move(peer: Peer): Promise<void> {
  const label = (value: string | null) =>
    peer.raw('PATCH', `${collection}/mover`, { metadata: { labels: { move: value } } });
  await peer.raw('POST', collection, { metadata: { name: 'mover' } });
  await label('in');
  await peer.raw('PATCH', `${collection}/mover`, { data: { a: '1' } });
  await label('out');
  await label(null);
  await label('in');
  await peer.raw('DELETE', `${collection}/mover`);
}

/** Types of the events of quiet watches with bookmarks, for longer than the interval of bookmarks. */
export async function compareBookmarks(
  comparison: Comparison,
  peers: readonly [Peer, Peer],
  ms: number,
): Promise<void> {
  const seconds = Math.round(ms / 1000);
  const paths = [
    `${collection}?watch=1&allowWatchBookmarks=true&resourceVersion={last}&labelSelector=none&timeoutSeconds=${seconds}`,
    `${collection}?watch=1&allowWatchBookmarks=true&resourceVersion={last}&labelSelector=none&timeoutSeconds=8`,
    `${collection}?watch=1&resourceVersion={last}&timeoutSeconds=8`,
  ];
  // A bookmark tells of something new.
  const written = peers.map(async (peer) => {
    await sleep(1000);
    await peer.raw('POST', collection, { metadata: { name: 'noticed' } });
  });
  await Promise.all(
    written.concat(
      paths.map(async (path) => {
        const [have, want] = await Promise.all(peers.map((peer) => peer.watch(path, ms + 10_000)));
        if (have && want) comparison.note('bookmarks', path, bookmarksOnly(have), bookmarksOnly(want));
      }),
    ),
  );
}

/** Bookmarks of the time before the end count as one: how many there are depends on when their clocks began. */
function bookmarksOnly({ status, body }: Answer): Answer {
  const events = Array.isArray(body) ? body.filter(isObject).filter((event) => event['type'] === 'BOOKMARK') : [];
  const first = events[0];
  return { status, body: first === undefined ? 'no bookmark' : { bookmarks: true, object: first['object'] ?? null } };
}

/** The first frames of watches over WebSocket, in its sub-protocols. */
export async function compareWebSockets(comparison: Comparison, peers: readonly [Peer, Peer]): Promise<void> {
  for (const query of [
    'watch=1&timeoutSeconds=2',
    'watch=1&timeoutSeconds=2&resourceVersion={first}',
    'watch=1&resourceVersion=abc',
    'watch=1&timeoutSeconds=2&resourceVersion=1&sendInitialEvents=true',
  ]) {
    for (const protocols of [[], ['binary.k8s.io'], ['odd.k8s.io']]) {
      const [have, want] = await Promise.all(peers.map((peer) => frames(peer, `${collection}?${query}`, protocols)));
      if (have && want) comparison.note('sockets', `${query} ${protocols.join()}`, have, want);
    }
  }
}

function frames(peer: Peer, path: string, protocols: readonly string[]): Promise<Answer> {
  const token = `base64url.bearer.authorization.k8s.io.${Buffer.from(adminToken).toString('base64url')}`;
  const socket = new WebSocket(peer.address.replace(/^https/, 'wss') + peer.filled(path), {
    protocols: [token, ...protocols],
    dispatcher: new Agent({ connect: { rejectUnauthorized: false } }),
  });
  socket.binaryType = 'arraybuffer';
  const received: JsonValue[] = [];
  return new Promise((resolve) => {
    const end = (how: string): void =>
      resolve({ status: 0, body: { how, protocol: socket.protocol.replace(token, 'the token'), received } });
    const timer = setTimeout(() => {
      socket.close();
      end('open');
    }, 4000);
    socket.addEventListener('message', ({ data }) => {
      const text = typeof data === 'string' ? data : Buffer.from(data as ArrayBuffer).toString();
      received.push(
        typeof data === 'string' ? 'text' : 'binary',
        ...text
          .trim()
          .split('\n')
          .map((line) => summary(peer, line)),
      );
    });
    socket.addEventListener('error', () => undefined);
    socket.addEventListener('close', ({ code }) => {
      clearTimeout(timer);
      end(`closed ${code}`);
    });
  });
}

function summary(peer: Peer, line: string): JsonValue {
  try {
    const event = JSON.parse(line) as JsonValue;
    if (!isObject(event)) return line;
    return event['type'] === 'ERROR'
      ? peer.named(event)
      : `${stringAt(event, 'type')} ${stringAt(event, 'object', 'metadata', 'name')}`;
  } catch {
    return line;
  }
}
