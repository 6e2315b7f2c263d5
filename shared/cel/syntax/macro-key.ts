/** By which a macro is found: its name, whether it has a target, and how many arguments; any number without. */
export function macroKey(name: string, receiver: boolean, args: number | undefined): string {
  return `${name}:${args ?? '*'}:${receiver}`;
}
