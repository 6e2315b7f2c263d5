/** A klog line of level error or warning: `E1121 06:20:36.123456 1234 file.go:12] "message" key="value"`. */
const header = /^([EWF])\d{4} \S+\s+\d+ ([\w.-]+\.go):\d+\] (.*)$/;
/**
 * What is chance and no fault: two writers met, a controller read before its informer saw its own write, a namespace
 * went while a controller worked in it, a program was ended while it wrote.
 */
const chance =
  /the object has been modified|already exists|StorageError: invalid object|is not as new as written version|informer cache is out of date|because it is being terminated|context canceled|broadcaster already stopped/;

/**
 * The kinds of error and warning lines of a log, each once, sorted: source file and message, with everything that
 * differs from run to run (names, numbers, addresses, times) taken out.
 */
export function logKinds(log: string): string[] {
  const kinds = new Set<string>();
  for (const line of log.split('\n')) {
    const [, level, file, text] = header.exec(line) ?? [];
    if (text === undefined || chance.test(text)) continue;
    kinds.add(`${level} ${file} ${generalized(text)}`);
  }
  return [...kinds].sort();
}

function generalized(text: string): string {
  const message = /^"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? text;
  const error = /\berr="((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
  const whole = error === undefined ? message : `${message}: ${error}`;
  return whole
    .replaceAll(/\\"[^"\\]*\\"/g, '"…"')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')
    .replaceAll(/https?:\/\/[^\s"\\]+/g, 'URL')
    .replaceAll(/\b[\w.-]+-[0-9a-z]{5,10}(-[0-9a-z]{5})?\b/g, '…')
    .replaceAll(/\b\d+(\.\d+)?(m?s|h|Ki|Mi|Gi)?\b/g, 'N');
}
