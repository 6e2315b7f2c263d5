const prefix = 'yaml: unmarshal errors:\n';
const prefixes: readonly string[] = [prefix, `error converting YAML to JSON: ${prefix}`];

/**
 * The lines of what a strict reader says of keys that stand twice, each a warning of its own; any other text as it is
 * (apiserver's parseYAMLWarnings).
 */
export function strictErrorLines(text: string): string[] {
  const start = prefixes.find((one) => text.startsWith(one));
  return start === undefined
    ? [text]
    : text
        .slice(start.length)
        .split('\n')
        .map((line) => line.trim());
}

/** The lines as one text, as go-yaml's strict reader gives them; none for none. */
export function strictErrorsOf(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${prefix}${lines.map((line) => `  ${line}`).join('\n')}`];
}
