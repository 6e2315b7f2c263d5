import { RoutingTable } from './routing-table.ts';

/** The routing table of the moment. Those who show what is served hear of every change. */
export class CurrentRoutes {
  #table = new RoutingTable(new Map());
  readonly #listeners: (() => void)[] = [];

  get table(): RoutingTable {
    return this.#table;
  }

  replace(table: RoutingTable): void {
    this.#table = table;
    this.notify();
  }

  /** What stands behind a route serves something else now, or has just become known. */
  notify(): void {
    for (const listener of this.#listeners) listener();
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }
}
