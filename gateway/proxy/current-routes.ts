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

  /** Calls the listeners. To be called when the discovery of a server behind a route changed or became known. */
  notify(): void {
    for (const listener of this.#listeners) listener();
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }
}
