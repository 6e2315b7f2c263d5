/** What is left in a namespace after its content was deleted. */
export interface RemainingContent {
  /** By `resource.group` the number of objects. */
  readonly byResource: ReadonlyMap<string, number>;
  /** By finalizer the number of objects that it holds. */
  readonly byFinalizer: ReadonlyMap<string, number>;
}

/** Adds up what is left of several resources. */
export class RemainingCounts implements RemainingContent {
  readonly byResource = new Map<string, number>();
  readonly byFinalizer = new Map<string, number>();

  add(resource: string, finalizersOfObjects: readonly (readonly string[])[]): void {
    if (finalizersOfObjects.length === 0) return;
    this.byResource.set(resource, (this.byResource.get(resource) ?? 0) + finalizersOfObjects.length);
    for (const finalizer of finalizersOfObjects.flat())
      this.byFinalizer.set(finalizer, (this.byFinalizer.get(finalizer) ?? 0) + 1);
  }

  get isEmpty(): boolean {
    return this.byResource.size === 0;
  }
}
