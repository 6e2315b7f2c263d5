// Compares lists and watches with those of the reference: every combination of their options, before and after a
// compaction, fields to select by, objects that move into and out of a selection, bookmarks, WebSockets.
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/lists/run.ts [--minutes-of-bookmarks 1.2] [TEXT-IN-THE-NAME-OF-A-PART…]
// Needs the bundles of dist (or QUARTERDECK_DIST) and etcd: both servers are started twice on an etcd of their own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPair } from '#test/compare/pair.ts';
import { referenceProgram, startEtcd } from '#test/reference.ts';
import { adminToken } from '#test/tokens.ts';
import { compactedCases, listCases, selectorCases, watchCases } from './cases.ts';
import { Comparison } from './comparison.ts';
import { goOn, makeHistory } from './history.ts';
import { compareBookmarks, compareMoves, compareWebSockets } from './live-watches.ts';
import { Peer, type Marks } from './peer.ts';

const { values: flags, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: { 'minutes-of-bookmarks': { type: 'string', default: '1.2' } },
});
const folder = mkdtempSync(join(tmpdir(), 'lists-'));
const program = referenceProgram('etcd');
if (program === undefined) throw new Error('REFERENCE_BIN holds no etcd');
const etcds = await Promise.all(['ours', 'theirs'].map((name) => startEtcd(program, join(folder, name))));
const [ourEtcd = '', theirEtcd = ''] = etcds.map(({ url }) => url);

interface Started {
  readonly peers: readonly [Peer, Peer];
  close(): Promise<void>;
}

async function start(marks: readonly Marks[] = []): Promise<Started> {
  const pair = await startPair({ stores: { ours: ourEtcd, theirs: theirEtcd } });
  const peers = [new Peer(pair.ours.url, adminToken), new Peer(pair.theirs.url, adminToken)] as const;
  for (const [index, peer] of peers.entries()) peer.marks = marks[index] ?? {};
  return { peers, close: () => pair.close() };
}

async function compact(etcd: string, revision: string): Promise<void> {
  const answer = await fetch(`${etcd}/v3/kv/compaction`, {
    method: 'POST',
    body: JSON.stringify({ revision, physical: true }),
  });
  if (!answer.ok) throw new Error(`the compaction failed: ${await answer.text()}`);
}

const comparison = new Comparison();
const wanted = (part: string): boolean => chosen.length === 0 || chosen.some((text) => part.includes(text));
let started = await start();
try {
  const marks = await Promise.all(started.peers.map(makeHistory));
  for (const [index, peer] of started.peers.entries()) peer.marks = marks[index] ?? {};
  if (wanted('lists')) await comparison.ask('lists', started.peers, listCases());
  if (wanted('watches')) await comparison.watch('watches', started.peers, watchCases());
  if (wanted('fields')) await comparison.ask('fields', started.peers, selectorCases());
  if (wanted('moves')) await compareMoves(comparison, started.peers);
  if (wanted('sockets')) await compareWebSockets(comparison, started.peers);
  if (wanted('bookmarks'))
    await compareBookmarks(comparison, started.peers, Number(flags['minutes-of-bookmarks']) * 60_000);
  if (wanted('compacted')) {
    const newest = await Promise.all(started.peers.map(goOn));
    await started.close();
    await Promise.all([compact(ourEtcd, newest[0] ?? ''), compact(theirEtcd, newest[1] ?? '')]);
    started = await start(marks);
    const { lists, watches } = compactedCases();
    await comparison.ask('compacted', started.peers, lists);
    await comparison.watch('compacted', started.peers, watches);
  }
} finally {
  await started.close();
  await Promise.all(etcds.map((etcd) => etcd.close()));
  rmSync(folder, { recursive: true, force: true });
}
process.exit(comparison.finish());
