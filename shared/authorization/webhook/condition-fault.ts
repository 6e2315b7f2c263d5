import type { Steps } from '#shared/apimachinery/slices/slices.ts';

/** Why a match condition cannot be used. */
export interface ConditionFault {
  /** Whether the fault is this server's. */
  readonly isInternal: boolean;
  readonly detail: string;
}

/** Compiles a match condition; returns why it cannot be used, undefined where it can. */
export type CompileCondition = (text: string) => Steps<ConditionFault | undefined>;
