import type { Authorization } from '../authorizer.ts';

export const noOpinion: Authorization = Object.freeze({ decision: 'noOpinion', reason: '' });
export const allowed: Authorization = Object.freeze({ decision: 'allow', reason: '' });

export function refuse(reason: string): Authorization {
  return { decision: 'noOpinion', reason };
}

/** The reason of a refusal, as the reference gives it for whatever its graph does not have. */
export function unrelated(node: string): string {
  return `no relationship found between node '${node}' and this object`;
}
