const prefix = 'yaml: unmarshal errors:\n';
const prefixes: readonly string[] = [prefix, `error converting YAML to JSON: ${prefix}`];

/**
 * Splits the strict reader's text about duplicate keys into lines, each a warning of its own; any other text is
 * returned as it is (apiserver's parseYAMLWarnings).
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

/** Joins the lines to one text, as go-yaml's strict reader does; empty without lines. */
export function strictErrorsOf(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${prefix}${lines.map((line) => `  ${line}`).join('\n')}`];
}
