// What the check of repeat-searches.ts finds and what it lets pass: check.test.ts compares with the marks.

export function searches(list: readonly string[], text: string): unknown[] {
  let at = text.indexOf('/');
  at = text.indexOf('/', at + 1);
  return [
    list.filter((item, index) => list.indexOf(item) < index), // found
    list.filter((item, index) => list.indexOf(item) !== index), // found
    list.filter((item, index) => index === list.lastIndexOf(item)), // found
    list.some((item, index) => index > list.findIndex((other) => other === item)), // found
    list.indexOf('a') < list.indexOf('b'),
    list.indexOf('a') < 0,
    at,
  ];
}
