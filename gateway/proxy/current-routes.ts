import { RoutingTable } from './routing-table.ts';

/** The current routing table. Listeners are called after every change of the served group versions or resources. */
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

  /** Call this when a server behind a route changed what it serves, or reported it for the first time. */
  notify(): void {
    for (const listener of this.#listeners) listener();
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }
}
