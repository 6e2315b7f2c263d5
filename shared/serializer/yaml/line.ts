/** The error text with the line as go-yaml gives it: none for line 0. */
export function goYamlLine(line: number, text: string): string {
  return line === 0 ? `yaml: ${text}` : `yaml: line ${line}: ${text}`;
}
