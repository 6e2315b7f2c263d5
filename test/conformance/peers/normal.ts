const rules: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'TIME'],
  [/"resourceVersion":"\d+"/g, '"resourceVersion":"N"'],
  [/127\.0\.0\.1:\d+/g, 'ADDRESS'],
  // Texts of columns, which are others here, and ages in tables.
  [/"description":"(?:[^"\\]|\\.)*"/g, '"description":"TEXT"'],
  [/"\d+s"/g, '"AGE"'],
];

/** A text without what differs from one server to the next: ids, times, revisions and ports. */
export function normal(text: string): string {
  return rules.reduce((changed, [pattern, word]) => changed.replace(pattern, word), text);
}
