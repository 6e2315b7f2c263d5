import { exactly } from '#shared/cel/contract/estimate.ts';

export const one = exactly(1);
export const listCost = exactly(10);
export const mapCost = exactly(30);
export const structCost = exactly(40);
