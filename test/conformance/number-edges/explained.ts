interface Explained {
  /** Upstream's reason, and where it is. */
  readonly why: string;
  /** Whether this is the difference. @param what the request with its value */
  readonly matches: (what: string, lines: readonly string[]) => boolean;
}

const explained: readonly Explained[] = [
  {
    why: 'Bytes that are present and empty are kept by protobuf alone (generated.pb.go); answers here are made of the JSON, which has neither.',
    matches: (_what, lines) => lines.every((line) => line.endsWith('.caBundle: want "" have nothing')),
  },
  {
    why: 'A number as a RawExtension, which every validation refuses, keeps its spelling in the text of the error (apimachinery/pkg/runtime/extension.go).',
    matches: (what, lines) =>
      /[ .](parameters|data) = NUMBER /.test(what) &&
      lines.every((line) => line.startsWith('body.details.causes: ') || line.startsWith('body.message: ')),
  },
];

/** Whether differences between the answers to a request have a known reason. */
export function isExplained(what: string, lines: readonly string[]): boolean {
  return lines.length > 0 && explained.some(({ matches }) => matches(what, lines));
}
