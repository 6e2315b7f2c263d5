import { inParallel } from '#servers/controllers/work/in-parallel.ts';
import type { Turn } from '#servers/controllers/work/turns.ts';
import type { OwnerReference } from '#shared/apimachinery/object.ts';
import {
  blocks,
  foregroundFinalizer,
  orphanFinalizer,
  waitsForDependents,
  waitsForOrphans,
  type GraphNode,
  type ObjectGraph,
} from './object-graph.ts';
import type { ObjectWrites, PropagationPolicy } from './object-writes.ts';
import type { OwnerState, OwnerStates } from './owner-states.ts';

/** Dependents that are orphaned at a time. */
const width = 10;

/** Thrown while an owner is there that no watch has told: its end must not be missed. */
export class UnseenOwnerError extends Error {
  override readonly name = 'UnseenOwnerError';
}

export interface CollectParts {
  readonly graph: ObjectGraph;
  readonly states: OwnerStates;
  readonly writes: ObjectWrites;
  /** Has another object looked at. */
  readonly look: (uid: string) => void;
}

/**
 * Does what owners and dependents of an object ask for, by the rules of pkg/controller/garbagecollector: it deletes an
 * object without an owner, drops references to owners that are gone beside one that is there, and lets an object go
 * whose dependents are gone or orphaned.
 * @throws UnseenOwnerError, UnknownKindError or ApiError (as rejections) if the object has to be looked at again
 */
export async function collectObject(parts: CollectParts, turn: Turn, node: GraphNode): Promise<void> {
  if (waitsForOrphans(node)) return await orphanDependents(parts, turn, node);
  if (waitsForDependents(node)) return await letGo(parts, turn, node);
  if (node.isDeleting || node.owners.length === 0) return;
  const states = new Map<OwnerReference, OwnerState>();
  for (const reference of node.owners) states.set(reference, await parts.states.of(reference, node));
  const are = (...wanted: readonly OwnerState[]): OwnerReference[] =>
    node.owners.filter((reference) => wanted.includes(states.get(reference) as OwnerState));
  const there = are('solid', 'unseen');
  if (there.length > 0) {
    if (there.length < node.owners.length) await parts.writes.setOwners(turn, node, there);
    if (are('unseen').length > 0) throw new UnseenOwnerError(`an owner of ${node.name} was not told by a watch yet`);
    return;
  }
  const dependents = parts.graph.dependentsOf(node.uid);
  if (are('waiting').length > 0 && dependents.length > 0)
    return await deleteInForeground(parts, turn, node, dependents);
  await parts.writes.delete(turn, node, policyOf(node));
}

/** A finalizer of an earlier decision counts. */
function policyOf({ finalizers }: GraphNode): PropagationPolicy {
  if (finalizers.includes(orphanFinalizer)) return 'Orphan';
  return finalizers.includes(foregroundFinalizer) ? 'Foreground' : 'Background';
}

/**
 * Its own dependents go first. Where one of them waits for the object in turn, its owners stop waiting for the object.
 */
async function deleteInForeground(
  { writes }: CollectParts,
  turn: Turn,
  node: GraphNode,
  dependents: readonly GraphNode[],
): Promise<void> {
  let newest: GraphNode | undefined = node;
  if (dependents.some(waitsForDependents))
    newest = await writes.setOwners(
      turn,
      node,
      node.owners.map((reference) => ({ ...reference, blockOwnerDeletion: false })),
    );
  if (newest !== undefined) await writes.delete(turn, newest, 'Foreground');
}

async function letGo({ graph, writes, look }: CollectParts, turn: Turn, node: GraphNode): Promise<void> {
  const blocking = graph
    .dependentsOf(node.uid)
    .filter(({ owners }) => owners.some((reference) => reference.uid === node.uid && blocks(reference)));
  if (blocking.length === 0) await writes.setFinalizers(turn, node, without(node, foregroundFinalizer));
  else for (const dependent of blocking) if (!waitsForDependents(dependent)) look(dependent.uid);
}

async function orphanDependents({ graph, writes }: CollectParts, turn: Turn, node: GraphNode): Promise<void> {
  const results = await inParallel(graph.dependentsOf(node.uid), width, (dependent) =>
    writes.setOwners(
      turn,
      dependent,
      dependent.owners.filter(({ uid }) => uid !== node.uid),
    ),
  );
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  await writes.setFinalizers(turn, node, without(node, orphanFinalizer));
}

function without({ finalizers }: GraphNode, finalizer: string): readonly string[] {
  return finalizers.filter((each) => each !== finalizer);
}
