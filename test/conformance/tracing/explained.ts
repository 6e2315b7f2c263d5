const converted = /converted custom resource/;

/** Spans that are missing here, with those below them, by the steps whose traces have them in the reference. */
const missing: readonly { readonly steps: RegExp; readonly span: string }[] = [
  // A deletion begins with the cached object, and there with a read (registry/generic/registry/store.go, Delete).
  { steps: /^delete /, span: 'cacher.Get' },
  // The object that exists is read within the creation (registry/generic/registry/store.go, Create).
  { steps: /^create what exists$/, span: 'cacher.Get' },
  // Documents of discovery are sent as they lie; there each request writes them anew.
  { steps: /^discover$/, span: 'SerializeObject' },
];

/** Spans that only this server has, by their lines. */
const added: readonly { readonly steps: RegExp; readonly line: RegExp }[] = [
  { steps: /^create what exists$/, line: /^ {10,}etcdserverpb\.KV\/Range$/ },
  // In the reference it ends behind initial events alone (endpoints/handlers/watch.go), and is not sent otherwise.
  { steps: /^watch(?! with initial events)/, line: /^ +WatchServer\.HandleHTTP$/ },
  // The reference converts outside of requests (apiextensions-apiserver/pkg/apiserver/conversion/webhook_converter.go).
  { steps: converted, line: /^ +Call conversion webhook$/ },
  { steps: converted, line: /^ +HTTP POST$/ },
];

/** The lines of the reference's spans as they are to be here. */
export function expectedHere(step: string, lines: readonly string[]): string[] {
  let expected = [...lines];
  for (const { steps, span } of missing)
    for (let at = find(expected, span); steps.test(step) && at >= 0; at = find(expected, span))
      expected = expected.toSpliced(at, 1 + countBelow(expected, at));
  return expected;
}

/** The lines of the spans here, without those that are explained. */
export function comparable(step: string, lines: readonly string[]): string[] {
  return lines.filter((text) => !added.some(({ steps, line }) => steps.test(step) && line.test(text)));
}

function find(lines: readonly string[], span: string): number {
  return lines.findIndex((line) => line.trim() === span);
}

function countBelow(lines: readonly string[], at: number): number {
  const depth = depthOf(lines[at] ?? '');
  const end = lines.findIndex((line, index) => index > at && depthOf(line) <= depth);
  return (end < 0 ? lines.length : end) - at - 1;
}

function depthOf(line: string): number {
  return line.length - line.trimStart().length;
}
