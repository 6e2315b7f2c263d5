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
  const steps = count(list);
  steps.next();
  yield* count(list);
  return yield* steps;
}
