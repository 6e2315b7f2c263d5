import type { DefinitionView } from '#servers/extensions/facts/definition-view.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';

/**
 * One step of a controller: updates the status of a definition in place. `others` returns all definitions of the
 * cluster. Steps are idempotent: they may run again, here or in another process.
 */
export type DefinitionStep = (object: KubeObject, others: () => Iterable<DefinitionView>, nowMs: number) => void;
