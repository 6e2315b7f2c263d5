import fc from 'fast-check';
import { mutation, type Mutation } from './mutate.ts';

/** What is done with one object, in numbers; see `play.ts` for what they mean. */
export type Step =
  | {
      readonly verb: 'create' | 'update';
      readonly mutations: readonly Mutation[];
      readonly text: Mutation | undefined;
      readonly options: number;
      readonly subresource: number;
    }
  | {
      readonly verb: 'json' | 'merge' | 'strategic' | 'apply';
      readonly mutations: readonly Mutation[];
      readonly options: number;
      readonly subresource: number;
    }
  | { readonly verb: 'get' | 'list' | 'delete'; readonly options: number }
  | { readonly verb: 'status' | 'scale'; readonly replicas: number };

export interface Scenario {
  readonly seed: number;
  readonly steps: readonly Step[];
}

const mutations = fc.array(mutation, { minLength: 0, maxLength: 3 });
const options = fc.nat(9_999);
/** Zero for the object itself. */
const subresource = fc.nat(47).map((number) => Math.max(0, number - 41));

/** The text of an update is not the same on both servers: only a creation has characters changed. */
const write = fc.record({
  verb: fc.constant('update' as const),
  mutations,
  options,
  subresource,
  text: fc.constant(undefined),
});
const patch = fc.record({
  verb: fc.constantFrom('json' as const, 'merge' as const, 'strategic' as const, 'strategic' as const),
  mutations,
  options,
  subresource,
});
const apply = fc.record({ verb: fc.constant('apply' as const), mutations, options, subresource });
const read = fc.record({ verb: fc.constantFrom('get' as const, 'list' as const), options });
const remove = fc.record({ verb: fc.constant('delete' as const), options });

/** A change of the object itself. */
const edit = fc.oneof<fc.WeightedArbitrary<Step>[]>(
  { weight: 2, arbitrary: write.map((step) => ({ ...step, subresource: 0 })) },
  { weight: 3, arbitrary: patch.map((step) => ({ ...step, subresource: 0 })) },
);

/** A whole life of an object: created, applied, changed four times at random, given a status, scaled, deleted. */
export function lives(subresources: readonly string[]): fc.Arbitrary<readonly Step[]> {
  const asItIs = { mutations: [], options: 1, subresource: 0 };
  const written = (['status', 'scale'] as const).filter((name) => subresources.includes(name));
  return fc
    .tuple(fc.array(edit, { minLength: 4, maxLength: 4 }), fc.nat(9))
    .map(([edits, replicas]): readonly Step[] => [
      { verb: 'create', text: undefined, ...asItIs },
      { verb: 'apply', ...asItIs },
      ...edits,
      ...written.map((verb) => ({ verb, replicas })),
      { verb: 'get', options: 1 },
      { verb: 'delete', options: 0 },
    ]);
}

/** Half of the objects begin as they should, so that what follows has something to work on. */
const create = fc.record({
  verb: fc.constant('create' as const),
  options,
  subresource: fc.constant(0),
  mutations: fc.oneof(fc.constant([]), mutations),
  text: fc.oneof({ weight: 14, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: mutation }),
});

/** Applies are left out until `withApply`. */
export function scenarios(seeds: number, withApply: boolean): fc.Arbitrary<Scenario> {
  const step = fc.oneof<fc.WeightedArbitrary<Step>[]>(
    { weight: 3, arbitrary: write },
    { weight: 4, arbitrary: patch },
    { weight: 1, arbitrary: read },
    { weight: 1, arbitrary: remove },
    { weight: withApply ? 4 : 0, arbitrary: apply },
  );
  const first: fc.Arbitrary<Step> = withApply
    ? fc.oneof<fc.WeightedArbitrary<Step>[]>({ weight: 3, arbitrary: create }, { weight: 1, arbitrary: apply })
    : create;
  return fc.record({
    seed: fc.nat(seeds - 1),
    steps: fc.tuple(first, fc.array(step, { maxLength: 4 })).map(([head, rest]) => [head, ...rest]),
  });
}
