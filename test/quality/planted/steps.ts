// What the check of unrun-steps.ts finds and what it lets pass: check.test.ts compares with the marks.

type Steps<T> = Generator<unknown, T>;

function* count(list: readonly number[]): Steps<number> {
  for (const item of list) yield item;
  return list.length;
}

const walk = { count };

export function* dropped(list: readonly number[]): Steps<number> {
  count(list); // found
  void count(list); // found
  walk.count(list); // found
  list.map((item) => count([item]));
  for (const item of list) {
    if (item > 0) count([item]); // found
    list.indexOf(item);
  }
  if (count(list)) return 1; // found
  const isCounted = !count(list); // found
  const found = list.some((item) => count([item])); // found
  const either = count(list) && isCounted; // found
  const same = found === either || count(list) !== undefined; // found
  list.map((item) => count([item]).next().done);
  const steps = same ? count(list) : count([]);
  steps.next();
  yield* count(list);
  return yield* steps;
}
