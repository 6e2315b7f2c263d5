/** The words with the line that go-yaml names, which is none for the first. */
export function goYamlLine(line: number, text: string): string {
  return line === 0 ? `yaml: ${text}` : `yaml: line ${line}: ${text}`;
}
