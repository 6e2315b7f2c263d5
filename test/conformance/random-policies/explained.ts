interface Explanation {
  /** The upstream file, and why this server differs. */
  readonly why: string;
  /** What is asked, where that matters: method and path, or the reviews. */
  readonly asked?: RegExp;
  /** Lines of the difference that it explains. */
  readonly lines: RegExp;
  /** One line of the difference is like this. */
  readonly line?: RegExp;
}

const explanations: readonly Explanation[] = [
  {
    why: 'apiserver/pkg/admission/plugin/policy/generic/policy_source.go: which of several policies denies first hangs on a map',
    lines: /^(?:status|body\.(?:message|reason|code|details\.causes)): /,
    line: /^body\.message: want .*?olicy '([^']*' with binding '[^']*)'.* have .*?olicy '(?!\1')/,
  },
  {
    why: 'apiserver/pkg/admission/plugin/webhook/validating/dispatcher.go: which of several webhooks denies first hangs on the time',
    lines: /^(?:status|body\.(?:message|reason|code|details.*|status)): /,
    line: /^body\.message: want .*?webhook \\"([^\\]*)\\".* have .*?webhook \\"(?!\1\\)/,
  },
  {
    why: 'apiserver/pkg/admission/plugin/webhook/mutating/dispatcher.go: webhooks after one that removed the kind see none',
    lines: /\.review\.request\.object\.(?:kind|apiVersion): want nothing have /,
  },
  {
    why: 'apiextensions-apiserver/pkg/apiserver/customresource_handler.go: unknown fields that hooks add, and empty lists, go when the object is read from storage; here at once',
    asked: /"kind":"Limit"/,
    lines: /\.review\.request\.object\..*: want .* have nothing$/,
  },
  {
    why: 'apimachinery/pkg/util/managedfields/scalehandler.go: validating webhooks see the newest managers of a Scale, with their time',
    asked: /"subResource":"scale"/,
    lines: /\.review\.request\.(?:object|oldObject)\.metadata\.managedFields/,
  },
  {
    why: 'pkg/apis/core/v1/conversion.go: what a hook writes to stringData stays there for the hooks that follow; here it becomes data at once',
    asked: /\/secrets|"kind":"Secret"/,
    lines: /^/,
    line: /stringData/,
  },
  {
    why: 'pkg/apis/autoscaling/v1/conversion.go: what a hook of v1 returns is converted into the object of the request, whose first metric is added to those of the annotation',
    asked: /horizontalpodautoscalers/,
    lines: /(?:^body|\.review\.request\.object)\.spec\.metrics: /,
  },
  {
    why: 'apimachinery/pkg/util/managedfields/internal/managedfields.go: managers stand in the order of their times, and a second may end between two writes on one server',
    lines: /^body\.(?:message|details\.causes): .*managedFields/,
  },
];

/** Whether each line of a difference has an explanation. */
export function isExplained(differences: readonly string[], asked: string): boolean {
  const known = explanations.filter(
    (one) =>
      (one.asked === undefined || one.asked.test(asked)) &&
      (one.line === undefined || differences.some((line) => one.line?.test(line))),
  );
  return differences.every((line) => known.some(({ lines }) => lines.test(line)));
}
