/** The key of a macro: its name, whether it has a target, and its number of arguments; undefined for any number. */
export function macroKey(name: string, receiver: boolean, args: number | undefined): string {
  return `${name}:${args ?? '*'}:${receiver}`;
}
