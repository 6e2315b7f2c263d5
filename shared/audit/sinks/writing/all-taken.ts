/** Whether all of several answers of sinks are yes; at once where they are there at once. */
export function allTaken(results: readonly (boolean | Promise<boolean>)[]): boolean | Promise<boolean> {
  const pending = results.filter((result) => typeof result !== 'boolean');
  const isTaken = !results.includes(false);
  return pending.length === 0 ? isTaken : Promise.all(pending).then((taken) => isTaken && taken.every(Boolean));
}
